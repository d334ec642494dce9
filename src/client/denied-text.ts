/** What Claude Code denied in a session, and what helps, as every front end says it. */
import type { Denial, Session } from '../contract/session.ts';
import { shortId } from '../contract/short-id.ts';
import { line, visible } from './text.ts';

/** A message that tells the model that it may; a person can edit it before it is sent. */
export const permitText = (denial: Pick<Denial, 'line'> | undefined): string =>
  denial ? `You may run this: ${line(denial.line, 500)}` : '';

/** `2 calls denied in this turn`, and `5 in all` where earlier turns had some. */
export const deniedHeading = ({ turn, total }: NonNullable<Session['denied']>): string =>
  [
    `${turn} ${turn === 1 ? 'call' : 'calls'} denied in this turn`,
    ...(total > turn ? [`${total} in all`] : []),
  ].join(', ');

/** `Bash: git push (It reaches production)`: hidden characters are shown by their code. */
export const denialText = ({ line: what, reason }: Pick<Denial, 'line' | 'reason'>): string =>
  `${visible(what)}${reason ? ` (${visible(reason)})` : ''}`;

/** The lines of `drover show`. */
export const deniedLines = ({ id, denied }: Pick<Session, 'id' | 'denied'>): string[] => {
  if (!denied || denied.turn === 0) return [];
  return [
    `denied    ${deniedHeading(denied)}`,
    ...denied.last.map(denial => `          ${denialText(denial)}`),
    `          \`drover denied ${shortId(id)}\` lists them and offers rules; or \`drover send ${shortId(id)} "You may …"\``,
  ];
};
