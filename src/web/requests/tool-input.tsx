/** The input of a tool, readable and complete: a command, a file change, or its fields. */
import { clean } from '../../client/text.ts';
import { diffLines, type Step } from '../../line-diff.ts';
import { Markdown } from '../shared/lazy-markdown.tsx';
import './tool-input.css';

export type Input = Record<string, unknown>;

export const ToolInput = ({ tool, input }: { tool: string | null; input: Input }) => (
  <div className="input">
    <Readable tool={tool} input={input} />
    <Hidden input={input} />
  </div>
);

const Readable = ({ tool, input }: { tool: string | null; input: Input }) => {
  const plan = textIn(input, 'plan');
  const command = textIn(input, 'command');
  const description = textIn(input, 'description');
  const change = changeIn(input);
  if (tool === 'ExitPlanMode' && plan !== null)
    return (
      <>
        <div className="long" tabIndex={0} role="region" aria-label="Plan">
          <Markdown text={plan} />
        </div>
        <Fields input={input} but={['plan']} />
      </>
    );
  if (change)
    return (
      <>
        <p className="path">{clean(change.path)}</p>
        {change.pairs.map(([before, after], n) => (
          <Diff key={n} before={before} after={after} />
        ))}
        <Fields input={input} but={change.fields} />
      </>
    );
  if (command !== null)
    return (
      <>
        {description !== null && <p className="aim">{clean(description)}</p>}
        <pre className="command" tabIndex={0}>
          <code>{clean(command)}</code>
        </pre>
        <Fields input={input} but={['command', ...(description === null ? [] : ['description'])]} />
      </>
    );
  return <Fields input={input} but={[]} />;
};

/** Says how many control and invisible characters are left out of what is shown. */
const Hidden = ({ input }: { input: Input }) => {
  const count = hiddenIn(input);
  if (count === 0) return null;
  return (
    <p className="warning">
      {count === 1 ? 'One invisible or control character is' : `${count} invisible or control characters are`}{' '}
      not shown. The Events tab has the input with every character.
    </p>
  );
};

const hiddenIn = (value: unknown): number => {
  if (typeof value === 'string') return value.replaceAll('\r\n', '\n').length - clean(value).length;
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce<number>((count, inner) => count + hiddenIn(inner), 0);
};

const textIn = (input: Input, name: string): string | null => {
  const value = input[name];
  return typeof value === 'string' ? value : null;
};

interface Change {
  path: string;
  /** Before and after. */
  pairs: [string, string][];
  /** The fields that this shows; all other fields are listed below it. */
  fields: string[];
}

/** The file change in an input; null for a tool that changes no text. */
const changeIn = (input: Input): Change | null => {
  const at = ['file_path', 'notebook_path'].find(name => textIn(input, name) !== null);
  if (at === undefined) return null;
  const path = textIn(input, at) ?? '';
  const pairs = pairsIn(input.edits);
  if (pairs) return { path, pairs, fields: [at, 'edits'] };
  const after = ['new_string', 'content', 'new_source'].find(name => textIn(input, name) !== null);
  if (after === undefined) return null;
  const before = textIn(input, 'old_string');
  return {
    path,
    pairs: [[before ?? '', textIn(input, after) ?? '']],
    fields: [at, after, ...(before === null ? [] : ['old_string'])],
  };
};

/** Several changes, where they hold nothing but texts before and after. */
const pairsIn = (edits: unknown): [string, string][] | null => {
  if (!Array.isArray(edits)) return null;
  const pairs = (edits as unknown[]).map((edit): [string, string] | null => {
    const { old_string: before, new_string: after, ...rest } = (edit ?? {}) as Input;
    const isPair = typeof before === 'string' && typeof after === 'string';
    return isPair && Object.keys(rest).length === 0 ? [before, after] : null;
  });
  return pairs.every(pair => pair !== null) ? pairs : null;
};

/** Past this many lines a browser is slow with an element for each: they become one text. */
const linesInColour = 5_000;

const Diff = ({ before, after }: { before: string; after: string }) => {
  const lines = (text: string) => (text === '' ? [] : clean(text).replace(/\n$/, '').split('\n'));
  const steps = diffLines(lines(before), lines(after));
  return (
    <div className="diff" tabIndex={0} role="region" aria-label="Changes">
      {steps.length > linesInColour ? (
        <pre>{steps.map(({ sign, line }) => `${sign} ${line}`).join('\n')}</pre>
      ) : (
        steps.map((step, n) => <DiffLine key={n} step={step} />)
      )}
    </div>
  );
};

const DiffLine = ({ step: { sign, line } }: { step: Step }) => {
  if (sign === '+') return <ins>{line || ' '}</ins>;
  if (sign === '-') return <del>{line || ' '}</del>;
  return <span>{line || ' '}</span>;
};

const Fields = ({ input, but }: { input: Input; but: string[] }) => {
  const fields = Object.entries(input).filter(([name]) => !but.includes(name));
  if (fields.length === 0) return null;
  return (
    <dl className="fields">
      {fields.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <pre tabIndex={0}>
              {clean(typeof value === 'string' ? value : JSON.stringify(value, null, 2))}
            </pre>
          </dd>
        </div>
      ))}
    </dl>
  );
};
