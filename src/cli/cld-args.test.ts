import { expect, test } from 'vitest';
import { cldCall } from './cld-args.ts';

const danger = '--dangerously-skip-permissions';
const id = '23e30f82';

test.each<[string[], string[]]>([
  [
    ['resume', id],
    ['resume', id],
  ],
  [
    ['resume', '-y', id],
    ['resume', '-y', id],
  ],
  [
    ['resume', '-n', id],
    ['resume', '-n', id],
  ],
  [
    ['resume', '-y', id, '--', '--model', 'opus'],
    ['resume', '-y', id, '--', '--model', 'opus'],
  ],
  [
    ['resume', '-y', id, '--model', 'opus'],
    ['resume', '-y', id, '--', '--model', 'opus'],
  ],
  [
    ['resume', '--model', 'opus', id, '-yD'],
    ['resume', '-y', '-D', id, '--', '--model', 'opus'],
  ],
  [
    ['resume', id, 'fix it'],
    ['resume', id, '--', 'fix it'],
  ],
  [
    ['resume', 'nothex!'],
    ['resume', 'nothex!'],
  ],
  [
    ['resume', '--here', id],
    ['resume', '--here', id],
  ],
  [
    ['fork', id],
    ['resume', '--fork', id],
  ],
  [
    ['fork', '--yolo', id, '--model', 'opus'],
    ['resume', '--fork', '--danger', id, '--', '--model', 'opus'],
  ],
  [
    ['resume', '--yolo'],
    ['resume', '--danger'],
  ],
  [[], ['resume', '--or-new']],
  [
    ['-y', '-D'],
    ['resume', '--or-new', '-y', '-D'],
  ],
  [['-yD'], ['resume', '--or-new', '-y', '-D']],
  [['--yolo'], ['resume', '--or-new', '--danger']],
  [
    ['-y', '--model', 'opus'],
    ['resume', '--or-new', '-y', '--', '--model', 'opus'],
  ],
  [
    ['--model', 'opus', '--no'],
    ['resume', '--or-new', '--no', '--', '--model', 'opus'],
  ],
])('cld %j is a command of drover', (argv, wanted) => {
  expect(cldCall(argv)).toEqual({ drover: wanted });
});

test.each<[string[], string[], boolean?]>([
  [['--version'], ['--version']],
  [['explain this'], ['explain this']],
  [
    ['-D', 'fix it'],
    [danger, 'fix it'],
  ],
  [
    ['--yolo', '--model', 'opus', 'fix it'],
    [danger, '--model', 'opus', 'fix it'],
  ],
  [
    ['fix it', '--danger'],
    [danger, 'fix it'],
  ],
  [['--dry-run', '-D', 'fix it'], [danger, 'fix it'], true],
  [
    ['mcp', 'list'],
    ['mcp', 'list'],
  ],
  [
    ['mcp', 'add', 'x', 'npx', '-y', 'x'],
    ['mcp', 'add', 'x', 'npx', '-y', 'x'],
  ],
  [
    ['-D', '--', '-y is a flag'],
    [danger, '-y is a flag'],
  ],
])('cld %j is claude %j', (argv, wanted, isDryRun = false) => {
  expect(cldCall(argv)).toEqual({ claude: wanted, isDryRun });
});
