/** `drover denied`: lists calls that Claude Code denied without asking, and adds the rule that allows one. */
import { call as ask } from '../../client/call.ts';
import { visible } from '../../client/text.ts';
import type { DeniedCall, DeniedPage } from '../../contract/denied.ts';
import { DroverError } from '../../contract/error.ts';
import { shortId } from '../../contract/short-id.ts';
import { addAllowRule, previewAllowRule } from '../../hook/install/allow-rule-file.ts';
import { unifiedDiff } from '../../hook/install/diff.ts';
import { settingsFile } from '../../hook/install/scope.ts';
import { columns } from '../output/columns.ts';
import { clockTime, line } from '../output/format.ts';
import { printDiff } from '../output/print-diff.ts';
import { canAsk, choice } from '../output/question.ts';
import { timeOf } from '../output/time-of.ts';
import { refuseInside } from '../refuse-inside.ts';
import { type Call, flag, text } from '../verb.ts';

export const run = async (call: Call): Promise<number> => {
  const [session] = call.args;
  const [since, last, allow] = [text(call, 'since'), text(call, 'last'), text(call, 'allow')];
  const wanted = allow === undefined ? last : '1000';
  const query = {
    session,
    last: wanted,
    since: since === undefined ? undefined : String(timeOf(since, 'since')),
  };
  const page = await ask(call.paths, 'listDenied', { query });
  if (allow !== undefined) return allowCall(call, page, allow);
  if (flag(call, 'json')) call.out(JSON.stringify(page));
  else for (const row of lines(page)) call.out(row);
  return 0;
};

const lines = ({ denials, rules, total }: DeniedPage): string[] => {
  if (total === 0) return ['No denied calls'];
  const head = ['id', 'time', 'session', 'project', 'call', 'why'];
  const rows = columns([head, ...denials.map(cellsOf)]);
  const more = total - denials.length;
  return [
    ...rows,
    ...(more > 0 ? [`and ${more} older ${more === 1 ? 'one' : 'ones'}`] : []),
    ...(rules.length > 0
      ? [
          '',
          'Rules that would allow them:',
          ...rules.map(({ rule, count }) => `  ${String(count).padStart(5)}  ${visible(rule)}`),
        ]
      : []),
    ...(rules.length > 0
      ? ['', '`drover denied --allow <id>` shows the change of the settings file, then asks.']
      : []),
  ];
};

const cellsOf = ({ id, at, sessionId, project, line: what, reason }: DeniedCall): string[] => [
  String(id),
  clockTime(at),
  shortId(sessionId),
  line(project ?? '-', 20),
  line(what, 60),
  line(reason ?? '-', 60),
];

/** Shows the change and asks. Without a terminal, or inside a session, nobody could judge it. */
const allowCall = async (call: Call, { denials }: DeniedPage, wanted: string): Promise<number> => {
  const denial = denials.find(({ id }) => String(id) === wanted);
  if (!denial)
    throw new DroverError(
      'usage',
      `No denied call has the id ${JSON.stringify(wanted)}.`,
      '`drover denied` lists them.',
    );
  const { rule, dir } = denial;
  if (rule === null || dir === null)
    throw new DroverError(
      'refused',
      'There is no rule for exactly this call.',
      `Send the session a message, or run /permissions in its pane: \`drover go ${shortId(denial.sessionId)}\`.`,
    );
  const file = settingsFile('local', call.env, dir);
  const change = previewAllowRule(file, rule);
  if (change.before === change.after) {
    call.out(
      `${file} has the rule already. A call outside the project may need its folder too: /add-dir in the session.`,
    );
    return 1;
  }
  if (flag(call, 'dry-run')) return printDiff(call, change);
  refuseInside(call);
  if (!canAsk())
    throw new DroverError(
      'refused',
      'A rule is added only by a person in a terminal.',
      'See the change with --dry-run.',
    );
  call.out(visible(unifiedDiff(change.target, change.before, change.after)).trimEnd());
  if ((await choice('Add this rule?', ['Add it for this project, for you'])) === null) return 1;
  addAllowRule(file, rule, call.paths);
  call.out(`Added to ${file}. Running sessions read it within a few seconds.`);
  return 0;
};
