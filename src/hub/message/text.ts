/** What may be typed: anything that is text. */
import { DroverError } from '../../contract/error.ts';
import type { SendMessage } from '../../contract/hub.ts';
import { controlCharacterIn } from '../../contract/plain-text.ts';
import { limits } from '../../limits.ts';

/** The text as it is typed, with the line ends that a prompt line has; throws for what cannot arrive as text. */
export const checkedText = (given: string, as: SendMessage['as'] = 'text'): string => {
  const text = given.replaceAll(/\r\n?/g, '\n');
  if (Buffer.byteLength(text) > limits.message.maxBytes)
    throw new DroverError('too_large', `A message can have up to ${limits.message.maxBytes} bytes.`);
  if (text.trim() === '') throw new DroverError('bad_request', 'text: it contains only white space.');
  // An escape would end the paste, and what follows it would be keys.
  const control = controlCharacterIn(text);
  if (control !== undefined)
    throw new DroverError(
      'bad_request',
      `text: a control character (${control.charCodeAt(0)}) is not text.`,
      'POST /sessions/:id/keys presses keys.',
    );
  if (as === 'command' && !/^\/\S[^\n]*$/.test(text))
    throw new DroverError('bad_request', 'A command is a single line that starts with /.');
  return text;
};
