/** The keys in the form of an MCP server: its fields, then a button. Before each key the screen is compared. */
import {
  fieldsOf,
  type Form,
  type FormField,
  formOf,
  type FormOption,
  optionOf,
} from '../../claude/screen/form.ts';
import { withoutSpace } from '../../claude/screen/without-space.ts';
import type { Answer } from '../../contract/answer.ts';
import { DroverError } from '../../contract/error.ts';
import { limits } from '../../limits.ts';
import { isShown } from './screen-match.ts';
import { pressOnce, type ScreenTask, screenChangedError } from './screen-task.ts';
import type { Seen } from './terminal-screen.ts';

/** Accepts or declines the form of an MCP server. */
export const answerForm = async (task: ScreenTask, choice: string, answer: Answer): Promise<void> => {
  if (choice === 'accept') await fillForm(task, answer.values ?? {});
  const button = choice === 'accept' ? 'accept' : 'decline';
  for (let keys = 0; keys < 40; keys++) {
    const seen = await task.screen.see();
    const at = formIn(task, seen)?.at;
    if (at === undefined) throw screenChangedError();
    const key = at === button ? 'Enter' : at === 'accept' ? 'Right' : at === 'decline' ? 'Left' : 'Down';
    const worked = (now: Seen) => formIn(task, now)?.at !== at;
    if ((await pressOnce(task, seen, { key }, worked)) && key === 'Enter') return;
  }
  throw new DroverError('failed', 'The form could not be answered.');
};

/** Gives each field its value, from the first one on. Nothing is pressed when one of them does not fit. */
const fillForm = async (task: ScreenTask, values: NonNullable<Answer['values']>): Promise<void> => {
  const fields = fieldsOf(task.asked.payload ?? { hook_event_name: 'Elicitation' });
  const unknown = Object.keys(values).find(name => !fields.some(field => field.name === name));
  if (unknown !== undefined)
    throw new DroverError('bad_request', `The form has no field ${JSON.stringify(unknown)}.`);
  const wanted = fields.map(field =>
    checkedValue(field, Object.hasOwn(values, field.name) ? values[field.name] : undefined),
  );
  for (const [n, value] of wanted.entries()) {
    if (value === undefined) continue;
    if (typeof value === 'string') await typeField(task, n, value);
    else if (typeof value.value === 'boolean') await tickField(task, n, value.value);
    else await chooseField(task, n, value.label);
  }
};

/** What a field is to get: text, one of its options, or nothing. Throws what does not fit. */
const checkedValue = (
  field: FormField,
  value: string | number | boolean | string[] | undefined,
): string | FormOption | undefined => {
  const name = JSON.stringify(field.name);
  if (value === undefined) {
    if (field.isRequired) throw new DroverError('bad_request', `No value for ${name}.`);
    return undefined;
  }
  if (field.isText) {
    if (/[\r\n]/.test(String(value))) throw new DroverError('bad_request', `${name} takes a single line.`);
    return String(value);
  }
  if (field.options === null) throw new DroverError('refused', `${name} can only be set in its terminal.`);
  const option = optionOf(field, value);
  if (option) return option;
  throw new DroverError(
    'bad_request',
    `${name} cannot be ${JSON.stringify(value)}.`,
    `It can be ${field.options.map(({ label }) => label).join(', ')}.`,
  );
};

/** Moves to a field and returns the screen that shows the cursor there. */
const moveToField = async (task: ScreenTask, n: number): Promise<{ seen: Seen; form: Form }> => {
  for (let keys = 0; keys < 40; keys++) {
    const seen = await task.screen.see();
    const form = formIn(task, seen);
    if (!form) throw screenChangedError();
    if (form.at === n) return { seen, form };
    const key = typeof form.at === 'number' && form.at < n ? 'Down' : 'Up';
    await pressOnce(task, seen, { key }, now => formIn(task, now)?.at !== form.at);
  }
  throw new DroverError('failed', 'A field of the form could not be reached.');
};

const typeField = async (task: ScreenTask, n: number, value: string): Promise<void> => {
  const { screen } = task;
  const { seen, form } = await moveToField(task, n);
  const shown = form.fields[n]?.value ?? '';
  if (!/^(?:Type something…|not set|)$/.test(shown))
    throw new DroverError('refused', 'Someone is using that terminal.', 'The form has values already.');
  await task.assertOpen();
  if (!(await screen.press(seen, { paste: value }, form.rows))) throw screenChangedError();
  task.onPressed({ paste: value });
  const isTyped = (now: Seen) =>
    withoutSpace(formIn(task, now)?.fields[n]?.value ?? '') === withoutSpace(value);
  if (!(await screen.until(isTyped, limits.screen.keyEffect))) throw screenChangedError();
};

/** Ticks or unticks a field. One that was never ticked counts as not given, so No is two keys. */
const tickField = async (task: ScreenTask, n: number, isOn: boolean): Promise<void> => {
  for (let keys = 0; keys < 4; keys++) {
    const { seen, form } = await moveToField(task, n);
    const before = form.fields[n];
    if (before?.isSet && before.value === (isOn ? '☒' : '☐')) return;
    const hasChanged = (now: Seen) => JSON.stringify(formIn(task, now)?.fields[n]) !== JSON.stringify(before);
    await pressOnce(task, seen, { key: 'Space' }, hasChanged);
  }
  throw screenChangedError();
};

/** Opens the options of a field, moves to one of them, and chooses it. */
const chooseField = async (task: ScreenTask, n: number, label: string): Promise<void> => {
  const isChosen = (form: Form | null): boolean =>
    form?.fields[n]?.isSet === true && form.fields[n]?.value.replace(/^▸\s*/, '') === label;
  for (let keys = 0; keys < 40; keys++) {
    const { seen, form } = await moveToField(task, n);
    if (isChosen(form)) return;
    const at = form.options.findIndex(({ selected }) => selected);
    const wanted = form.options.findIndex(option => option.label === label);
    if (form.options.length > 0 && (at < 0 || wanted < 0)) throw screenChangedError();
    const key = form.options.length === 0 ? 'Right' : at < wanted ? 'Down' : at > wanted ? 'Up' : 'Space';
    const hasChanged = (now: Seen) => JSON.stringify(formIn(task, now)) !== JSON.stringify(form);
    await pressOnce(task, seen, { key }, hasChanged);
  }
  throw screenChangedError();
};

/** The form of this request; null when the screen shows something else, such as the form that follows it. */
const formIn = ({ asked, session }: ScreenTask, seen: Seen): Form | null =>
  isShown(seen, asked, session) ? formOf(seen.pane.rows, seen.pane.width) : null;
