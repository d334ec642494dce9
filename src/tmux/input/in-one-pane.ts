/** With `synchronize-panes`, tmux copies typed keys into every pane of the window. A paste goes into one pane only. */
import { tmuxQuote } from '../server/quote.ts';

/** The bytes that a terminal sends for a key, by its tmux name. */
export const keyBytes = {
  Enter: '\r',
  Escape: '\x1b',
  Tab: '\t',
  BTab: '\x1b[Z',
  Up: '\x1b[A',
  Down: '\x1b[B',
  Left: '\x1b[D',
  Right: '\x1b[C',
  BSpace: '\x7f',
  Space: ' ',
} as const;

/** A tmux format that is true while typed keys reach one pane only. */
export const notSynchronized = '#{==:#{pane_synchronized},0}';

/** A tmux command that sends keys, or pastes their bytes while the panes are synchronized. */
export const inOnePane = (pane: string, sendKeys: string, bytes: string): string =>
  ['if-shell', '-F', '-t', pane, notSynchronized, sendKeys, pasteBytes(pane, bytes, ['-r'])]
    .map(tmuxQuote)
    .join(' ');

/** The bytes of keys as `send-keys` takes them; null when one of them is not known. */
export const bytesOfKeys = (keys: string[]): string | null => {
  if (keys[0] === '-l') return keys.slice(2).join('');
  const bytes = keys.map((key): string | null => {
    const control = /^C-([a-z])$/.exec(key)?.[1];
    if (control !== undefined) return String.fromCharCode(control.charCodeAt(0) - 0x60);
    return keyBytes[key as keyof typeof keyBytes] ?? (/^.$/u.test(key) ? key : null);
  });
  return bytes.includes(null) ? null : bytes.join('');
};

/** A tmux command that pastes these bytes: with `-r` as they are, with `-p` in brackets. */
export const pasteBytes = (pane: string, text: string, flags: string[]): string => {
  const buffer = `drover-key-${process.pid}-${++pastes}`;
  const set = ['set-buffer', '-b', buffer, '--', text].map(tmuxQuote).join(' ');
  return `${set} ; ${['paste-buffer', '-d', ...flags, '-b', buffer, '-t', pane].map(tmuxQuote).join(' ')}`;
};

let pastes = 0;
