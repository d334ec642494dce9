/** From what a terminal sends to the names of keys. */
import { type Key, useInput } from 'ink';

export const Keys = ({ onKey }: { onKey: (key: string) => void }) => {
  useInput((input, key) => {
    const name = nameOf(input, key);
    // Keys that were pressed faster than they were read come together.
    const pressed = name ? [name] : Array.from(input, letter => controls[letter] ?? letter);
    // Ink gathers what happens in here into one update, of which only the first would be drawn.
    queueMicrotask(() => pressed.forEach(onKey));
  });
  return null;
};

const controls: Record<string, string | undefined> = {
  '\r': 'enter',
  '\n': 'enter',
  '\t': 'tab',
  '\x1b': 'escape',
  '\x7f': 'backspace',
  '\x03': 'ctrl-c',
  '\x04': 'ctrl-d',
  '\x15': 'ctrl-u',
};

const nameOf = (input: string, key: Key): string | null => {
  if (key.return) return 'enter';
  if (key.tab) return 'tab';
  if (key.escape) return 'escape';
  if (key.backspace || key.delete) return 'backspace';
  if (key.upArrow) return 'up';
  if (key.downArrow) return 'down';
  if (key.pageUp) return 'pageup';
  if (key.pageDown) return 'pagedown';
  if (key.home) return 'home';
  if (key.end) return 'end';
  return key.ctrl ? `ctrl-${input}` : null;
};
