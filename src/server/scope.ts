/** `scope=local`: only what is on this machine. */
import { DroverError } from '../contract/error.ts';

/** Whether the query asks for this machine only. A scope that is not known would show more than was asked for, so it is an error. */
export const isLocalOnly = (query: URLSearchParams): boolean => {
  const scope = query.get('scope');
  if (scope === null) return false;
  if (scope === 'local') return true;
  throw new DroverError(
    'bad_request',
    `There is no scope ${JSON.stringify(scope.slice(0, 40))}.`,
    'Use local, or leave it out for all machines of the fleet.',
  );
};
