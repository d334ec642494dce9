/**
 * The form of an MCP server on the screen: an elicitation. It is not a menu: it has fields and the buttons Accept and Decline. The model
 * can write all of that into a conversation or another dialog, so the form begins right below the rule over the whole width.
 */
import type { Hook } from '../../contract/hook.ts';
import { isFullRule } from './rule.ts';
import { withoutSpace } from './without-space.ts';

export interface Form {
  server: string;
  /** All text of it, without white space. */
  text: string;
  /** Where the cursor is: a field by its number, or a button. */
  at: number | 'accept' | 'decline' | null;
  /** The fields as they are shown: title, value, and whether a value was given. */
  fields: { title: string; value: string; isSet: boolean }[];
  /** The options of the field that is expanded. */
  options: { label: string; selected: boolean }[];
  /** Its rows on the screen. */
  rows: string[];
}

/** Reads the form on a screen of this width; null when there is none. */
export const formOf = (screen: string[], width: number): Form | null => {
  const last = screen.findLastIndex(row => /^\s*(?:❯ )?\s*Accept\s+(?:❯ )?\s*Decline\s*$/.test(row));
  const first = screen.findLastIndex(row => isFullRule(row, width)) + 1;
  if (first === 0 || last < first || !title.test(screen[first] ?? '')) return null;
  const rows = screen.slice(first, last + 1);
  const buttons = rows.at(-1) ?? '';
  const shown = rows.map(row => field.exec(row)?.groups).filter(one => one !== undefined);
  const at = shown.findIndex(({ caret }) => caret !== undefined);
  return {
    server: title.exec(rows[0] ?? '')?.[1] ?? '',
    text: withoutSpace(rows.slice(1).join('')),
    at: /❯ *Accept/.test(buttons) ? 'accept' : /❯ *Decline/.test(buttons) ? 'decline' : at < 0 ? null : at,
    fields: shown.map(({ title: name = '', value = '', mark }) => ({
      title: name,
      value: value.trim(),
      isSet: mark === '✔',
    })),
    options: rows.flatMap(row => {
      const { caret, label = '' } = option.exec(row)?.groups ?? {};
      return label === '' ? [] : [{ label: label.trim(), selected: caret !== undefined }];
    }),
    rows: rows.filter(row => row !== ''),
  };
};

const title = /^\s*MCP server “(.+)” requests your input\s*$/;
const field = /^ {2}(?:(?<caret>❯)| ) (?<mark>[*✔✘☐☒○●? ]) (?<title>[^:]+):(?<value>.*)$/;
const option = /^ {8}(?:(?<caret>❯)| ) [◯◉●] (?<label>.*)$/;

/** Whether the screen shows the form of this Elicitation event: its server, its message and all of its fields. */
export const isForm = (screen: string[], width: number, payload: Hook): boolean => {
  const form = formOf(screen, width);
  const { mcp_server_name: server, message } = payload;
  if (!form || form.server !== server || typeof message !== 'string') return false;
  const fields = fieldsOf(payload);
  return (
    form.text.startsWith(withoutSpace(message)) &&
    form.fields.length === fields.length &&
    fields.every(({ title: name }, n) => form.fields[n]?.title === name)
  );
};

export interface FormField {
  name: string;
  title: string;
  type: string;
  /** Whether it is filled in by typing text. */
  isText: boolean;
  /** The options it can be set to if it takes no text; null if they are not known. */
  options: FormOption[] | null;
  isRequired: boolean;
}

export interface FormOption {
  value: string | boolean;
  label: string;
}

/** Finds the option with this value or label. */
export const optionOf = ({ options }: FormField, given: unknown): FormOption | undefined =>
  options?.find(({ value }) => value === given) ??
  options?.find(({ value, label }) =>
    [label, String(value)].some(text => text.toLowerCase() === String(given).toLowerCase()),
  );

/** The fields that an Elicitation event asks for, in order. */
export const fieldsOf = ({ requested_schema: schema }: Hook): FormField[] => {
  const { properties, required } = objectOf(schema);
  const wanted = Array.isArray(required) ? required : [];
  return Object.entries(objectOf(properties)).map(([name, value]) => {
    const { title: shown, type } = objectOf(value);
    const options = optionsOf(objectOf(value));
    return {
      name,
      title: typeof shown === 'string' ? shown : name,
      type: String(type),
      isText: options === null && (type === 'string' || type === 'number' || type === 'integer'),
      options,
      isRequired: wanted.includes(name),
    };
  });
};

/** The options of a field that is chosen or ticked. */
const optionsOf = (schema: Record<string, unknown>): FormOption[] | null => {
  const { type, enum: values, enumNames: names, oneOf } = schema;
  if (type === 'boolean')
    return [
      { value: true, label: 'Yes' },
      { value: false, label: 'No' },
    ];
  if (Array.isArray(values))
    return values.map((value, n) => ({
      value: String(value),
      label: String(Array.isArray(names) ? (names[n] ?? value) : value),
    }));
  if (!Array.isArray(oneOf)) return null;
  return oneOf
    .map(objectOf)
    .map(one => ({ value: String(one.const), label: String(one.title ?? one.const) }));
};

const objectOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
