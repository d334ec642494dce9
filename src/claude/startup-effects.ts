/** What each option of a start-up dialog does, in a sentence that a person confirms. */

/** The sentence for an option of the named dialog. */
export const startupEffect = (dialog: string, label: string, dir: string | null): string => {
  const found = effects.find(([name, option]) => name === dialog && option.test(label));
  return (found?.[2] ?? `Claude Code will continue with “%label”.`)
    .replace('%dir', dir ?? 'this folder')
    .replace('%label', label);
};

const exits = 'Claude Code will exit, and its session ends.';

const effects: [dialog: string, option: RegExp, sentence: string][] = [
  [
    'trust this folder?',
    /^Yes/,
    'Claude Code may read, change and run files in %dir, and will run the hooks and servers that its settings name.',
  ],
  ['trust this folder?', /^No/, exits],
  [
    'use the API key of the environment?',
    /^Yes/,
    'Claude Code will use the API key of the environment, and its use is billed to that key.',
  ],
  [
    'use the API key of the environment?',
    /^No/,
    'Claude Code will ignore the API key of the environment and ask you to log in if needed.',
  ],
  ['bypass permissions?', /^Yes/, 'Claude Code will run every command without asking for approval.'],
  ['bypass permissions?', /^No/, exits],
  ['choose a theme', /./, 'Claude Code will use the theme “%label”.'],
  ['try the fullscreen renderer?', /^Yes/, 'Claude Code will switch to its fullscreen renderer.'],
  ['try the fullscreen renderer?', /^Not now/, 'Claude Code will keep its current renderer.'],
  ['settings warning', /^Fix/, 'Claude Code will start and try to repair the settings file.'],
  ['settings warning', /^Exit/, exits],
  [
    'settings warning',
    /^Continue/,
    'Claude Code will start without the settings of the invalid file, including its permissions and hooks.',
  ],
  [
    'use the MCP server of this project?',
    /all future/,
    'Claude Code will run this and every later MCP server of this project. They can execute code.',
  ],
  [
    'use the MCP server of this project?',
    /^Use/,
    'Claude Code will run this MCP server. It can execute code.',
  ],
  ['use the MCP server of this project?', /without/, 'Claude Code will start without this MCP server.'],
];
