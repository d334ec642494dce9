/** A search index that SQLite cannot read. It is built again from the transcripts. */
import { call as ask } from '../../client/call.ts';
import { whileHomeFree } from '../../daemon/home-lock.ts';
import type { Paths } from '../../paths.ts';
import { indexProblem, renewIndex } from '../../resume/renew-index.ts';
import type { Repair } from './repair.ts';

export const searchIndexRepairs = async (paths: Paths): Promise<Repair[]> => {
  const problem = await indexProblem(paths.search);
  if (problem === null) return [];
  return [
    {
      name: 'search index',
      says: `the search index is damaged: ${problem}`,
      changes: [
        `delete ${paths.search} and index the transcripts again; sessions that you forgot come back if their transcript exists`,
      ],
      // A daemon that does not answer still uses the file: only the lock says that there is none.
      run: async () => {
        if (!(await whileHomeFree(paths, () => renewIndex(paths.search)))) await rebuildThroughDaemon(paths);
      },
    },
  ];
};

const rebuildThroughDaemon = async (paths: Paths): Promise<void> => {
  await ask(paths, 'setIndex', { body: { on: false } });
  await ask(paths, 'setIndex', { body: { on: true } });
};
