/** What a tool is about to do, readable: a command, a change of a file, or its fields. */
import { clean } from '../client/text.ts';
import { diffLines, type Step } from '../line-diff.ts';
import { Markdown } from './markdown.tsx';

export type Input = Record<string, unknown>;

export const ToolInput = ({ tool, input }: { tool: string | null; input: Input }) => {
  const path = textIn(input, 'file_path') ?? textIn(input, 'notebook_path');
  const plan = textIn(input, 'plan');
  const command = textIn(input, 'command');
  const changes = changesIn(input);
  if (tool === 'ExitPlanMode' && plan !== null) return <Markdown text={plan} />;
  if (changes && path !== null)
    return (
      <>
        <p className="path">{clean(path)}</p>
        {changes.map(([before, after], n) => (
          <Diff key={n} before={before} after={after} />
        ))}
        <Fields input={input} but={shownAsChange} />
      </>
    );
  if (command !== null)
    return (
      <>
        {textIn(input, 'description') && <p className="aim">{clean(textIn(input, 'description') ?? '')}</p>}
        <pre className="command" tabIndex={0}>
          <code>{clean(command)}</code>
        </pre>
        <Fields input={input} but={['command', 'description']} />
      </>
    );
  return <Fields input={input} but={[]} />;
};

const shownAsChange = [
  'file_path',
  'notebook_path',
  'old_string',
  'new_string',
  'content',
  'new_source',
  'edits',
];

const textIn = (input: Input, name: string): string | null => {
  const value = input[name];
  return typeof value === 'string' ? value : null;
};

/** Pairs of before and after; null for a tool that changes no text. */
const changesIn = (input: Input): [string, string][] | null => {
  if (Array.isArray(input.edits))
    return (input.edits as Input[]).map(edit => [
      textIn(edit, 'old_string') ?? '',
      textIn(edit, 'new_string') ?? '',
    ]);
  const after = textIn(input, 'new_string') ?? textIn(input, 'content') ?? textIn(input, 'new_source');
  return after === null ? null : [[textIn(input, 'old_string') ?? '', after]];
};

const linesAtMost = 600;

const Diff = ({ before, after }: { before: string; after: string }) => {
  const lines = (text: string) => (text === '' ? [] : clean(text).replace(/\n$/, '').split('\n'));
  const steps = diffLines(lines(before), lines(after));
  const more = steps.length - linesAtMost;
  return (
    <div className="diff" tabIndex={0} role="region" aria-label="Changes">
      {steps.slice(0, linesAtMost).map((step, n) => (
        <DiffLine key={n} step={step} />
      ))}
      {more > 0 && <p className="aim">{more} more lines</p>}
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
              {typeof value === 'string' ? clean(value) : JSON.stringify(value, null, 2)}
            </pre>
          </dd>
        </div>
      ))}
    </dl>
  );
};
