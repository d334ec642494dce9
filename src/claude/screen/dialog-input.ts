/**
 * Whether a dialog on the screen is the one of a certain tool call: its complete input must be there as text. White space does not
 * count, because the CLI wraps and pads. What is shortened or hidden does not match, so such a dialog is not answered.
 */
import { homedir } from 'node:os';
import { isAbsolute, relative } from 'node:path';
import type { Dialog } from './dialog.ts';
import { isDiffTo } from './dialog-diff.ts';
import { withoutSpace } from './without-space.ts';

export interface ToolCall {
  tool: string;
  input: Record<string, unknown>;
  /** The directories that paths may be shown relative to. */
  dirs: string[];
  /** The text of a file as it is now; null when it cannot be read. */
  fileText: (path: string) => string | null;
}

/** Whether the dialog shows this call of a tool, all of it. */
export const showsCall = (dialog: Dialog, call: ToolCall): boolean =>
  (matchers[call.tool] ?? (call.tool.startsWith('mcp__') ? showsMcp : showsFields))(dialog, call);

type Matcher = (dialog: Dialog, call: ToolCall) => boolean;

const showsBash: Matcher = ({ title, body }, { input }) => {
  const command = text(input.command);
  const description = text(input.description) || 'Run shell command';
  if (!title.startsWith('Bash command') || command === '') return false;
  const framed = frameOf(body);
  if (!framed) return startsWithRows(body, command + description);
  return (
    isSameText(framed.inside, command) && withoutSpace(framed.before).endsWith(withoutSpace(description))
  );
};

const showsFetch: Matcher = ({ title, body }, { input }) => {
  const { url, prompt } = input;
  if (title !== 'Fetch' || !hasOnly(input, ['url', 'prompt'])) return false;
  const framed = frameOf(body);
  if (!framed) return startsWithRows(body, `url: ${JSON.stringify(url)}, prompt: ${JSON.stringify(prompt)}`);
  return (
    isSameText(framed.inside, `url: ${text(url)} prompt: ${text(prompt)}`) ||
    isSameText(framed.inside, `url: ${text(url)}`)
  );
};

const showsSearch: Matcher = ({ body }, { input }) =>
  hasOnly(input, ['query']) && isLine(body, `Web Search("${text(input.query)}")`);

const showsRead: Matcher = ({ title, body }, { input, dirs }) =>
  title === 'Read file' &&
  hasOnly(input, ['file_path']) &&
  namesOf(text(input.file_path), dirs).some(path => isLine(body, `Read(${path})`));

const showsWrite: Matcher = (dialog, call) => {
  const content = text(call.input.content);
  const framed = fileFrame(dialog, call);
  if (!framed) return false;
  if (dialog.title !== 'Create file') return showsChange(framed, call, () => content);
  const lines = content.split('\n');
  const numbered = (count: number) =>
    lines
      .slice(0, count)
      .map((line, n) => `${n + 1}${line}`)
      .join('');
  // The line after a final newline may be shown or not.
  const isEmptyEnd = lines.at(-1) === '';
  return (
    isSameText(framed, numbered(lines.length)) ||
    (isEmptyEnd && isSameText(framed, numbered(lines.length - 1)))
  );
};

const showsEdit: Matcher = (dialog, call) => {
  const { old_string, new_string, replace_all } = call.input;
  const [before, after] = [text(old_string), text(new_string)];
  const framed = fileFrame(dialog, call);
  if (!framed || before === '') return false;
  return showsChange(framed, call, file => {
    if (!file.includes(before)) return null;
    return replace_all === true ? file.replaceAll(before, () => after) : file.replace(before, () => after);
  });
};

const showsChange = (
  framed: string[],
  { input, fileText }: ToolCall,
  changed: (file: string) => string | null,
): boolean => {
  const file = fileText(text(input.file_path));
  const wanted = file === null ? null : changed(file);
  return file !== null && wanted !== null && isDiffTo(framed, file, wanted);
};

/** The frame of a dialog about a file, if it is about the file of this call. */
const fileFrame = ({ title, body }: Dialog, { input, dirs }: ToolCall): string[] | null => {
  const framed = frameOf(body);
  if (!framed || !/^(?:Create|Overwrite|Edit) file$/.test(title)) return null;
  return namesOf(text(input.file_path), dirs).some(path => isSameText([framed.before], path))
    ? framed.inside
    : null;
};

/** `mcp__github__create_issue` is "github - create_issue(title: …) (MCP)" or "github — Create Issue Tool: (MCP)" with a frame. */
const showsMcp: Matcher = ({ title, body }, { tool, input }) => {
  const [, server = '', name = ''] = /^mcp__(.+?)__(.+)$/.exec(tool) ?? [];
  if (!title.startsWith('Tool use') || name === '') return false;
  const fields = Object.entries(input).map(([field, value]) => `${field}: ${JSON.stringify(value)}`);
  const call = `${server} - ${name}${fields.length > 0 ? `(${fields.join(', ')})` : ''} (MCP)`;
  if (startsWithRows(body, call)) return true;
  const framed = frameOf(body);
  const head = lettersOf(framed ? framed.before : (body.find(row => row.trim() !== '') ?? ''));
  if (head !== lettersOf(`${server}${name}ToolMCP`)) return false;
  return framed ? isSameText(framed.inside.map(unquoted), unquoted(fields.join(''))) : fields.length === 0;
};

/** Every field with its complete value, as `name: value`, in its own frame or one after another. */
const showsFields: Matcher = ({ body }, { input }) => {
  const framed = frameOf(body);
  const fields = Object.entries(input).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  if (fields.length === 0) return false;
  return framed
    ? isSameText(framed.inside.map(unquoted), unquoted(fields.join('')))
    : isLine(body, fields.join(', '));
};

/** 2.1.325 writes `{ x: true }` and strings without quotes. */
const unquoted = (shown: string): string => shown.replace(/["\\]/g, '');

const matchers: { [tool: string]: Matcher | undefined } = {
  Bash: showsBash,
  WebFetch: showsFetch,
  WebSearch: showsSearch,
  Read: showsRead,
  Write: showsWrite,
  Edit: showsEdit,
};

/** The rows between two dotted rules, and the text above them; null where there are none. */
const frameOf = (body: string[]): { before: string; inside: string[] } | null => {
  const first = body.findIndex(isDotted);
  const last = body.findLastIndex(isDotted);
  if (first < 0 || last <= first) return null;
  const inside = body.slice(first + 1, last);
  return {
    before: body.slice(0, first).join('\n'),
    inside: inside.every(hasBar) ? inside.map(withoutBar) : inside,
  };
};

const isDotted = (row: string): boolean => /^\s*[╌┄]{3}/.test(row);
/** 2.1.325 marks text of several rows with a bar. */
const hasBar = (row: string): boolean => /^\s*│/.test(row);
const withoutBar = (row: string): string => row.replace(/^\s*│/, '');

const isSameText = (rows: string[], wanted: string): boolean =>
  withoutSpace(rows.join('')) === withoutSpace(wanted);

/** Whether one of the rows, alone or with those that follow it, is this text. */
const isLine = (rows: string[], wanted: string): boolean =>
  rows.some((row, n) => row.trim() !== '' && startsWithRows(rows.slice(n), wanted));

/** Whether the first rows are this text, no more and no less up to the end of a row. */
const startsWithRows = (rows: string[], wanted: string): boolean => {
  const flat = withoutSpace(wanted);
  let shown = '';
  for (const row of rows) {
    shown += withoutSpace(row);
    if (shown === flat && flat !== '') return true;
    if (!flat.startsWith(shown)) return false;
  }
  return false;
};

/** The names under which a dialog may show a path. */
const namesOf = (path: string, dirs: string[]): string[] => [
  path,
  ...dirs.filter(dir => isAbsolute(path) && dir !== '').map(dir => relative(dir, path)),
  ...(path.startsWith(`${homedir()}/`) ? [`~${path.slice(homedir().length)}`] : []),
];

const hasOnly = (input: Record<string, unknown>, names: string[]): boolean =>
  Object.keys(input).every(name => names.includes(name));
const lettersOf = (shown: string): string => shown.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
const text = (value: unknown): string => (typeof value === 'string' ? value : '');
