import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempHome } from '../../testing/home.ts';
import { queuedPrompt } from './queued-prompt.ts';

test('finds a prompt that was queued since then, not older ones or tasks of the CLI', () => {
  const file = join(tempHome().home, 'transcript.jsonl');
  const line = (second: number, content: string) =>
    `${JSON.stringify({ type: 'queue-operation', operation: 'enqueue', timestamp: `2026-11-15T14:14:${second}.000Z`, content })}\n`;
  const at = Date.parse('2026-11-15T14:14:20.000Z');
  writeFileSync(file, line(10, 'SAY before') + line(30, '<task-notification>done</task-notification>'));
  expect(queuedPrompt(file, at)).toBeNull();
  writeFileSync(file, line(10, 'SAY before') + line(20, 'SAY now'));
  expect(queuedPrompt(file, at)).toBe('SAY now');
  expect(queuedPrompt(file, at, 'SAY other')).toBe('SAY now');
  expect(queuedPrompt(file, at, 'SAY  now\n')).toBeNull();
  expect(queuedPrompt(`${file}.gone`, at)).toBeNull();
  expect(queuedPrompt(null, at)).toBeNull();
});
