/** Text that the model controls draws dialogs inside dialogs: on recorded screens, and in any text and width. */
import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { paintDialog, type PaintedCall } from '../../testing/cli-dialogs.ts';
import { dialogOf } from './dialog.ts';
import { showsCall, type ToolCall } from './dialog-input.ts';
import { questionOn } from './question-dialog.ts';
import { screenRequest } from './screen-request.ts';
import { withoutSpace } from './without-space.ts';

interface Recorded {
  name: string;
  version: string;
  width: number;
  tool: string;
  input: Record<string, unknown>;
  /** What is expected of it: its dialog is read, or refused. */
  isRead: boolean;
  rows: string[];
}

const recorded = readFileSync(new URL('../../../test/screens/drawn.jsonl', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line): Recorded => JSON.parse(line));

const wide = `line one\nline two\n${'wide word '.repeat(40)}\nline four\nx\ny\nz\nline eight\n`;
const callOf = ({ tool, input }: Pick<Recorded, 'tool' | 'input'>): ToolCall => ({
  tool,
  input,
  dirs: ['/world/home/project'],
  fileText: path => (path.endsWith('old.txt') ? wide : 'alpha\nbeta\n'),
});
const isShown = (on: Recorded, of: Recorded): boolean => {
  const dialog = dialogOf(on.rows, on.width);
  if (!dialog) return false;
  if (of.tool === 'AskUserQuestion') return questionOn(dialog, of.input.questions as never) !== null;
  return showsCall(dialog, callOf(of));
};

describe('recorded screens', () => {
  test.each(recorded.map(one => [`${one.name} ${one.version} ${one.width}`, one] as const))(
    '%s',
    (_, one) => {
      expect(isShown(one, one)).toBe(one.isRead);
      const others = recorded.filter(other => JSON.stringify(other.input) !== JSON.stringify(one.input));
      expect(others.filter(other => isShown(one, other)).map(({ name }) => name)).toEqual([]);
      const safe = { tool: 'Bash', input: { command: 'touch safe', description: 'Make safe' } };
      expect(isShown(one, { ...one, ...safe })).toBe(false);
    },
  );

  test.each(
    recorded.filter(({ tool, name }) => tool === 'Bash' && /plain|long$|multi|rule$|fake/.test(name)),
  )('the painted dialog is the real one: $name $version $width', ({ input, rows, width, version }) => {
    const painted = paintDialog({ tool: 'Bash', input: input as never }, width, version === '2.1.197');
    // The options and the sentences of the CLI differ between calls.
    const part = (of: string[]) => {
      const end = of.findLastIndex(row => /^ (?:Do you|This command)/.test(row));
      const all = of.slice(of.lastIndexOf('─'.repeat(width)), end).filter(row => row !== '');
      const tip = all.findIndex(row => row.startsWith(' Tip: '));
      const after = tip < 0 ? tip : all.findIndex((row, n) => n >= tip && row.endsWith('below'));
      return all.filter((row, n) => (n < tip || n > after) && !row.startsWith(' This command'));
    };
    expect(part(rows)).toEqual(part(painted));
  });
});

const drawn = (width: number): fc.Arbitrary<string> => {
  const row = fc.constantFrom(
    '─'.repeat(width),
    '─'.repeat(width - 3),
    '╌'.repeat(width),
    ' Bash command',
    '',
    '   touch safe',
    '   Make safe',
    ' │ touch safe',
    ' Do you want to proceed?',
    ' ❯ 1. Yes',
    '   2. No',
    '❯ 1. Yes',
    '1 a',
    ' Esc to cancel · Tab to amend',
    'touch evil',
  );
  const filled = fc.tuple(row, fc.integer({ min: 0, max: 12 })).map(([text, n]) => text.padEnd(width - n));
  const rows = fc.array(fc.oneof(row, filled, fc.string({ maxLength: 30 })), { maxLength: 14 });
  return fc
    .tuple(rows, fc.constantFrom('\n', ' ', ''))
    .map(([all, glue]) => all.join(glue).replace(/[^\n -~─╌│❯·]/g, ''));
};

const painted = fc
  .integer({ min: 40, max: 250 })
  .chain(width =>
    fc.tuple(
      fc.constant(width),
      fc.boolean(),
      drawn(width),
      drawn(width),
      fc.constantFrom('Bash', 'Write', 'mcp__elicit__ask'),
    ),
  );

const safe: PaintedCall[] = [
  { tool: 'Bash', input: { command: 'touch safe', description: 'Make safe' } },
  { tool: 'Write', input: { file_path: '/world/home/project/f', content: 'a' } },
  { tool: 'mcp__elicit__ask', input: { body: 'touch safe' } },
];

const callFor = (tool: string, a: string, b: string): PaintedCall =>
  tool === 'Bash'
    ? { tool, input: { command: `x${a}`, description: `y${b}` } }
    : tool === 'Write'
      ? { tool, input: { file_path: '/world/home/project/f', content: `${a}\n${b}` } }
      : { tool: 'mcp__elicit__ask', input: { body: a, more: b } };

test('a dialog that is accepted is never another one than shown, whatever its text and width', () => {
  let accepted = 0;
  fc.assert(
    fc.property(painted, fc.nat(40), ([width, isOld, a, b, tool], cut) => {
      const call = callFor(tool, a, b);
      const rows = ['● Something', '', ...paintDialog(call, width, isOld)];
      const dialog = dialogOf(rows, width);
      const same = (other: PaintedCall) =>
        withoutSpace(JSON.stringify(other.input).replaceAll('\\n', '')) ===
        withoutSpace(JSON.stringify(call.input).replaceAll('\\n', ''));
      const others = [
        ...safe,
        callFor(tool, a.slice(0, cut), b),
        callFor(tool, a, b.slice(0, cut)),
        callFor(tool, a.slice(cut), b),
        callFor(tool, a + b.slice(0, cut), b.slice(cut)),
      ].filter(other => !same(other) && !(isOld && tool === 'Bash' && sameBlock(other, call)));
      if (dialog && showsCall(dialog, callOf(call))) accepted++;
      for (const other of others) expect(dialog !== null && showsCall(dialog, callOf(other))).toBe(false);
      // What is listed without hooks has all letters of the call.
      const listed = screenRequest(rows, width);
      const letters = (text: string) => text.replace(/[^A-Za-z0-9]/g, '');
      const told = letters(`${listed?.more}${listed?.text}`);
      if (listed && tool === 'Bash') expect(told).toContain(letters(call.input.command ?? ''));
    }),
    { numRuns: 5_000 },
  );
  expect(accepted).toBeGreaterThan(300);
});

/** 2.1.197 shows command and description as one text: the same text is the same to a person. */
const sameBlock = (one: PaintedCall, other: PaintedCall): boolean =>
  withoutSpace(`${one.input.command}${one.input.description}`) ===
  withoutSpace(`${other.input.command}${other.input.description}`);
