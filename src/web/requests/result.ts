/** Says what an answer did. */
import type { Answered, Choice } from '../../contract/answer.ts';
import type { Reason } from '../../contract/session.ts';

/** One sentence for the card of the request. `screen`: keys were pressed in its dialog. */
export const resultOf = (
  kind: Reason,
  { effect, choice, rule }: Pick<Choice, 'effect' | 'choice' | 'rule'>,
  way: Answered['way'],
): string => {
  const done = choice === 'keep_planning' ? 'Sent back to planning' : (verbs[effect][kind] ?? 'Answered');
  const where = way === 'screen' ? ' in its terminal' : '';
  return `${done}${where}.${rule ? ' Claude Code will not ask again.' : ''}`;
};

const verbs: Record<Choice['effect'], { [kind in Reason]?: string }> = {
  allow: { permission: 'Allowed', plan: 'Approved' },
  deny: { permission: 'Denied', plan: 'Denied', question: 'Declined', elicitation: 'Declined' },
  answer: {},
};
