/** Fields of config.json that do not apply while the daemon runs. All others do, a moment after the file was written. */

/** These apply after `drover restart`. */
export const restartFields: readonly string[] = ['port', 'claudeDirs', 'env', 'tmuxSocket', 'autostart'];

/** These apply with `drover setup --tmux`. */
export const setupFields: readonly string[] = ['tmux'];
