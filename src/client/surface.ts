/** What kind of client this process is. Each bundle has its own copy; its entry file sets it. */
import type { Surface } from '../contract/caller.ts';

export const surface: { name: Surface } = { name: 'cli' };
