/** The permission rule of Claude Code that allows one denied call. */

/** Longer commands are not worth a rule: they do not come again. */
const maxRule = 400;

/**
 * Returns the rule for exactly this call; null where none is known to allow it and nothing else. In a rule for Bash a `*` stands for
 * any text. A rule for a command with a pipe did not help (docs/decisions/2026-11-20-denied-calls.md), redirections and variables
 * are checked apart from it, and a command with characters that nobody sees is not one that a person can judge.
 */
export const allowRule = (tool: unknown, input: unknown): string | null => {
  if (tool !== 'Bash' || typeof input !== 'object' || input === null) return null;
  const { command } = input as { command?: unknown };
  if (typeof command !== 'string' || command.trim() !== command || command === '') return null;
  return command.length <= maxRule && plain.test(command) ? `Bash(${command})` : null;
};

const plain = /^[^*\\|<>;`$\p{C}\p{Z}]+(?: [^*\\|<>;`$\p{C}\p{Z}]+)*$/u;
