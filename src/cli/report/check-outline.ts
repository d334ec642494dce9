/** Outlines the checks of the doctor: their results, and of what they say only what cannot name anything of the user. */
import type { Check } from '../output/print-checks.ts';

export const checkOutline = ({ name, ok, says }: Check): string => {
  const result = ok === true ? 'ok' : ok === false ? 'FAIL' : 'does not apply';
  const shown = plainChecks.has(name) ? says : (namesOf(name, says)?.join(', ') ?? '');
  // The name of an agent is the user's.
  const title = name.startsWith('agent ') ? 'agent' : name;
  return `${title}: ${result}${shown ? `: ${shown}` : ''}`;
};

/** These say numbers and versions only. */
const plainChecks = new Set(['platform', 'tmux', 'spool', 'disk']);

const namesOf = (name: string, says: string): string[] | null => {
  if (name === 'claude') return says.match(/\b\d+\.\d+\.\d+(?= at )/g);
  if (name === 'hooks') return says.match(/\b\d+ events(?= in )|not registered|registered twice/g);
  if (name === 'repairs') return says.match(/\b(?:permissions|hooks|tmux|stale files|search index)(?=: )/g);
  return null;
};
