import { expect, test } from 'vitest';
import type { Verb } from '../verb.ts';
import { manPage } from './man-page.ts';

const verb: Verb = {
  name: 'go',
  args: '<session>',
  summary: 'Go to a session',
  options: { link: { short: 'l', value: '<name>', help: '.hidden file, see `drover ls`' } },
  details: `Fills this text.\n\n  drover go a\\b --link x\n\n'quoted`,
  load: async () => ({ run: () => 0 }),
};

test('commands stand under their task, with flags, text and examples', () => {
  const page = manPage([{ title: 'Answer', verbs: [verb] }], '1.2.3').split('\n');
  const at = page.indexOf('.SH ANSWER');
  expect(page[0]).toContain('"drover 1.2.3"');
  expect(page.slice(at + 1, page.indexOf('.SH EXIT STATUS'))).toEqual([
    '.SS drover go <session>',
    'Go to a session.',
    '.TP',
    '\\fB\\-l\\fR, \\fB\\-\\-link\\fR \\fI<name>\\fR',
    '\\&.hidden file, see \\fBdrover ls\\fR',
    '.PP',
    'Fills this text.',
    '.PP',
    '.nf',
    '  drover go a\\eb \\-\\-link x',
    '.fi',
    '.PP',
    "\\&'quoted",
  ]);
});
