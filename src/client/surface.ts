/** What this process is to the daemon. Each bundle has its own copy: a command unless its entry file says otherwise. */
import type { Surface } from '../contract/caller.ts';

export const surface: { name: Surface } = { name: 'cli' };
