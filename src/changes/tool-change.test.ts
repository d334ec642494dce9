import { expect, test } from 'vitest';
import { limits } from '../limits.ts';
import { changedPath, toolChange } from './tool-change.ts';

const hunk = (lines: string[]) => ({ oldStart: 3, oldLines: 2, newStart: 3, newLines: 3, lines });

test('an Edit has the hunks and counts of its structured patch', () => {
  const change = toolChange({
    tool_name: 'Edit',
    tool_input: { file_path: '/p/a.ts', old_string: 'x', new_string: 'y' },
    tool_response: {
      filePath: '/p/a.ts',
      originalFile: 'never compared',
      structuredPatch: [hunk([' same', '-x', '+y', '+z', '\\ No newline at end of file'])],
    },
  });
  expect(change).toEqual({
    path: '/p/a.ts',
    tool: 'Edit',
    isNew: false,
    added: 2,
    removed: 1,
    patch: '@@ -3,2 +3,3 @@\n same\n-x\n+y\n+z\n\\ No newline at end of file',
    isCut: false,
  });
});

test('a new file is added whole, as Claude Code reports it: with an empty patch', () => {
  const write = (content: string) =>
    toolChange({
      tool_name: 'Write',
      tool_input: { file_path: '/p/new', content },
      tool_response: { type: 'create', filePath: '/p/new', content, structuredPatch: [], originalFile: null },
    });
  expect(write('one\ntwo')).toMatchObject({
    isNew: true,
    added: 2,
    removed: 0,
    patch: '@@ -0,0 +1,2 @@\n+one\n+two',
  });
  expect(write('one\n')).toMatchObject({ added: 1, patch: '@@ -0,0 +1,1 @@\n+one' });
  expect(write('')).toMatchObject({ isNew: true, added: 0, patch: '' });
});

test('a file that is written over is compared where there are no hunks', () => {
  const change = toolChange({
    tool_name: 'Write',
    tool_input: { file_path: 'sub/a', content: 'a\nb\nc\n' },
    tool_response: { type: 'update', content: 'a\nb\nc\n', structuredPatch: [], originalFile: 'a\nc\n' },
    cwd: '/p/',
  });
  expect(change).toMatchObject({ path: '/p/sub/a', added: 1, removed: 0, patch: '@@ @@\n a\n+b\n c' });
});

test('several edits and cells of a notebook count too', () => {
  expect(
    toolChange({
      tool_name: 'MultiEdit',
      tool_input: { file_path: '/p/a', edits: [] },
      tool_response: { structuredPatch: [hunk(['-a', '+b']), hunk(['+c'])] },
    }),
  ).toMatchObject({ tool: 'MultiEdit', added: 2, removed: 1 });
  const notebook = JSON.stringify({ cells: [{ id: 'k1', source: ['print(1)\n', 'print(2)'] }] });
  const cell = (mode: string, more: object) =>
    toolChange({
      tool_name: 'NotebookEdit',
      tool_input: { notebook_path: '/p/n.ipynb', new_source: 'print(1)\nprint(3)' },
      tool_response: { edit_mode: mode, cell_id: 'k1', original_file: notebook, ...more },
    });
  expect(cell('replace', {})).toMatchObject({ path: '/p/n.ipynb', added: 1, removed: 1 });
  expect(cell('insert', {})).toMatchObject({ added: 2, removed: 0 });
  expect(cell('delete', {})).toMatchObject({ added: 0, removed: 2 });
  expect(cell('replace', { error: 'no such cell' })).toBeNull();
  expect(cell('replace', { original_file: '{' })).toMatchObject({ added: 2, patch: null, isCut: true });
});

test('a large file has whole counts and the beginning of its patch', () => {
  const content = 'line\n'.repeat(100_000);
  const change = toolChange({
    tool_name: 'Write',
    tool_input: { file_path: '/p/big', content },
    tool_response: { type: 'create', content, structuredPatch: [], originalFile: null },
  });
  expect(change).toMatchObject({ added: 100_000, isCut: true });
  expect(change?.patch?.length).toBeLessThanOrEqual(limits.changes.patchBytes);
});

test('other tools, plans and payloads without a file change nothing', () => {
  const write = (file_path: unknown, tool_name = 'Write') =>
    toolChange({ tool_name, tool_input: { file_path, content: 'x' }, tool_response: { type: 'create' } });
  expect(write('/p/a', 'Read')).toBeNull();
  expect(write('/home/me/.claude/plans/calm-lake.md')).toBeNull();
  expect(write(undefined)).toBeNull();
  expect(write('relative')).toBeNull();
  expect(toolChange({ tool_name: 'Edit', tool_response: 'an error' })).toBeNull();
  expect(write('/p/plans/a.md')).not.toBeNull();
});

test('the file of an open request is known by its input', () => {
  expect(changedPath('Edit', { file_path: '/p/a' }, null)).toBe('/p/a');
  expect(changedPath('NotebookEdit', { notebook_path: 'n.ipynb' }, '/p')).toBe('/p/n.ipynb');
  expect(changedPath('Edit', { file_path: '/p//src/../a' }, null)).toBe('/p/a');
  expect(changedPath('Write', { file_path: '../a' }, '/p/src/')).toBe('/p/a');
  expect(changedPath('Bash', { file_path: '/p/a' }, '/p')).toBeNull();
});
