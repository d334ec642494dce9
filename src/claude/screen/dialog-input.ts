/**
 * Whether a dialog on the screen is the one of a certain tool call: its complete input must be there, and nothing else where the CLI
 * shows input. White space does not count, because the CLI wraps and pads. What is shortened or hidden does not match, so such a
 * dialog is not answered.
 */
import { homedir } from 'node:os';
import { isAbsolute, relative } from 'node:path';
import type { Dialog } from './dialog.ts';
import { isDiffTo, isNewFile } from './dialog-diff.ts';
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
  isPermission(dialog) &&
  (
    (Object.hasOwn(matchers, call.tool) ? matchers[call.tool] : undefined) ??
    (call.tool.startsWith('mcp__') ? showsMcp : showsFields)
  )(dialog, call);

/** In a permission dialog only the dotted lines begin in the first column. Text that got there was not painted as the CLI meant it. */
const isPermission = ({ body, menu, isQuestion }: Dialog): boolean =>
  !isQuestion && menu.tabs.length === 0 && body.every(row => row === '' || /^[ ╌┄]/.test(row));

type Matcher = (dialog: Dialog, call: ToolCall) => boolean;

const showsBash: Matcher = ({ title, body, frame }, { input }) => {
  const command = text(input.command);
  const description = text(input.description) || 'Run shell command';
  if (!title.startsWith('Bash command') || command === '') return false;
  if (!frame) return isSameText(callRows(body), command + description);
  return isSameText(barless(frame.inside), command) && endsWithText(frame.before, description);
};

const showsFetch: Matcher = ({ title, body, frame }, { input }) => {
  const { url, prompt } = { url: text(input.url), prompt: text(input.prompt) };
  if (title !== 'Fetch' || !hasOnly(input, ['url', 'prompt'])) return false;
  if (!frame) {
    const call = `url: ${JSON.stringify(url)}, prompt: "${prompt}"`;
    return isSameText(callRows(body), `${call}Claude wants to fetch content from ${hostOf(url)}`);
  }
  const rows = frame.inside.map(row => withoutBar(row).trim());
  const at = rows.findIndex(row => row.startsWith('prompt:'));
  return (
    at > 0 && isSameText(rows.slice(0, at), `url: ${url}`) && isSameText(rows.slice(at), `prompt: ${prompt}`)
  );
};

const showsSearch: Matcher = ({ title, body, frame }, { input }) => {
  const query = text(input.query);
  if (title !== 'Tool use' || !hasOnly(input, ['query'])) return false;
  const call = `Web Search("${query}")`;
  if (frame) return isSameText(barless(frame.inside), call);
  return isSameText(callRows(body), `${call}Claude wants to search the web for: ${query}`);
};

const showsRead: Matcher = ({ title, body, frame }, { input, dirs }) =>
  title === 'Read file' &&
  hasOnly(input, ['file_path']) &&
  namesOf(text(input.file_path), dirs).some(path =>
    isSameText(frame ? barless(frame.inside) : callRows(body), `Read(${path})`),
  );

const showsWrite: Matcher = (dialog, call) => {
  const content = text(call.input.content);
  const shown = fileFrame(dialog, call);
  if (!shown) return false;
  if (dialog.title !== 'Create file') return showsChange(shown, call, () => content);
  if (content === '') return isSameText(shown, '1 (No content)');
  // It would look like an empty file.
  return withoutSpace(content) !== '(Nocontent)' && isNewFile(shown, content);
};

const showsEdit: Matcher = (dialog, call) => {
  const { old_string, new_string, replace_all } = call.input;
  const [before, after] = [text(old_string), text(new_string)];
  const shown = fileFrame(dialog, call);
  if (!shown || before === '') return false;
  return showsChange(shown, call, file => {
    if (!file.includes(before)) return null;
    return replace_all === true ? file.replaceAll(before, () => after) : file.replace(before, () => after);
  });
};

const showsChange = (
  shown: string[],
  { input, fileText }: ToolCall,
  changed: (file: string) => string | null,
): boolean => {
  const file = fileText(text(input.file_path));
  const wanted = file === null ? null : changed(file);
  if (file === null || wanted === null) return false;
  // Nothing is shown of a file that stays as it is.
  return shown.length === 0 ? wanted === file : isDiffTo(shown, file, wanted);
};

/** The frame of a dialog about a file, if it is about the file of this call. */
const fileFrame = ({ title, frame }: Dialog, { input, dirs }: ToolCall): string[] | null => {
  if (!frame || !/^(?:Create|Overwrite|Edit) file$/.test(title)) return null;
  return namesOf(text(input.file_path), dirs).some(path => isSameText(frame.before, path))
    ? frame.inside
    : null;
};

/** `mcp__github__create_issue` is "github - create_issue(title: …) (MCP)" or "github — Create Issue Tool: (MCP)" with a frame. */
const showsMcp: Matcher = ({ title, body, frame }, { tool, input }) => {
  const [, server = '', name = ''] = /^mcp__(.+?)__(.+)$/.exec(tool) ?? [];
  if (!title.startsWith('Tool use') || name === '') return false;
  const fields = Object.entries(input).map(([field, value]) => `${field}: ${JSON.stringify(value)}`);
  const call = `${server} - ${name}${fields.length > 0 ? `(${fields.join(', ')})` : ''} (MCP)`;
  if (!frame && startsWithRows(body, call)) return true;
  const head = frame ? frame.before.join('') : (body.find(row => row.trim() !== '') ?? '');
  if (lettersOf(head) !== lettersOf(`${server}${name}ToolMCP`)) return false;
  return frame ? isFields(frame.inside, input) : fields.length === 0;
};

/** Every field with its complete value, as `name: value`. */
const showsFields: Matcher = ({ title, body, frame }, { input }) => {
  const fields = Object.entries(input).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  if (fields.length === 0 || toolsByTitle[title] !== undefined) return false;
  return frame ? isFields(frame.inside, input) : isSameText(callRows(body), fields.join(', '));
};

/** The titles of dialogs that belong to one tool. */
export const toolsByTitle: { [title: string]: string | undefined } = {
  'Bash command': 'Bash',
  'Edit file': 'Edit',
  'Create file': 'Write',
  'Overwrite file': 'Write',
  'Read file': 'Read',
  Fetch: 'WebFetch',
};

const matchers: { [tool: string]: Matcher | undefined } = {
  Bash: showsBash,
  WebFetch: showsFetch,
  WebSearch: showsSearch,
  Read: showsRead,
  Write: showsWrite,
  Edit: showsEdit,
};

/** Whether the rows are exactly these fields: each in a row of its own, or its name in one and its text below it, marked with a bar. */
const isFields = (rows: string[], input: Record<string, unknown>): boolean => {
  let next = 0;
  for (const [name, value] of Object.entries(input)) {
    const head = (rows[next++] ?? '').trim();
    if (head !== `${name}:`) {
      if (withoutSpace(head) !== withoutSpace(`${name}: ${inspected(value)}`)) return false;
      continue;
    }
    const from = next;
    while (hasBar(rows[next] ?? '')) next++;
    const wanted = typeof value === 'string' ? value : inspected(value);
    if (next === from || !isSameText(rows.slice(from, next).map(withoutBar), wanted)) return false;
  }
  return next === rows.length;
};

/** A value as 2.1.325 shows it: `{ x: [1, "two"] }`. */
const inspected = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(inspected).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).map(
    ([name, one]) => `${/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name)}: ${inspected(one)}`,
  );
  return `{ ${fields.join(', ')} }`;
};

/** The part of a dialog without a frame that shows the call: it is indented further than what the CLI says about it. */
export const callRows = (body: string[]): string[] => {
  const end = body.findIndex(row => /^ {0,1}\S/.test(row));
  return end < 0 ? body : body.slice(0, end);
};

/** 2.1.325 marks text of several rows with a bar: all of them, or none of a single one. */
const barless = (rows: string[]): string[] => {
  if (rows.every(hasBar)) return rows.map(withoutBar);
  return rows.some(hasBar) ? ['\0'] : rows;
};
const hasBar = (row: string): boolean => /^ +│/.test(row);
const withoutBar = (row: string): string => row.replace(/^ +│/, '');

const isSameText = (rows: string[], wanted: string): boolean =>
  withoutSpace(rows.join('')) === withoutSpace(wanted);

/** Whether the last rows are this text. Rows with a bar are one text: it begins with the first of them. */
const endsWithText = (rows: string[], wanted: string): boolean =>
  rows.some((_, n) => !hasBar(rows[n - 1] ?? '') && isSameText(rows.slice(n).map(withoutBar), wanted));

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

const hostOf = (url: string): string => {
  try {
    return new URL(url).hostname;
  } catch {
    return '';
  }
};

const hasOnly = (input: Record<string, unknown>, names: string[]): boolean =>
  Object.keys(input).every(name => names.includes(name));
const lettersOf = (shown: string): string => shown.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
const text = (value: unknown): string => (typeof value === 'string' ? value : '');
