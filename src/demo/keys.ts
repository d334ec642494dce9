/** Parse terminal input into key names, letters, and pasted text as one item. */
export const keysIn = (chunk: string): string[] =>
  [...chunk.matchAll(/\x1b\[200~([\s\S]*?)\x1b\[201~|\x1b\[[\d;]*[A-Za-z~]|[\s\S]/gu)].map(
    ([key, pasted]) => pasted ?? names[key] ?? key,
  );

const names: Record<string, string | undefined> = {
  '\r': 'enter',
  '\n': 'enter',
  '\x1b': 'escape',
  '\x1b[A': 'up',
  '\x1b[B': 'down',
  '\x7f': 'backspace',
  '\b': 'backspace',
  '\x15': 'ctrl-u',
};

/** Check whether a key is text. */
export const isText = (key: string): boolean =>
  key !== '' && !Object.values(names).includes(key) && !/^[\x00-\x1f]/.test(key);
