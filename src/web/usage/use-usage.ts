/** Reads reports of usage, again and again while they are shown. */
import { useEffect, useState } from 'react';
import type { Usage } from '../../contract/usage.ts';
import { call } from '../daemon/call.ts';
import { errorText } from '../daemon/daemon-error.ts';

/** Longer than the second after which a message counts: nobody needs it sooner. */
const pollInterval = 5_000;

type UsageQuery = { by: Usage['by']; split?: Usage['by']; since?: number; session?: string };

/** Null until the first answer; a failure is shown only while there is nothing else. */
export const useUsage = (
  queries: UsageQuery[],
  isLive: boolean,
): { reports: Usage[] | null; problem: string | null } => {
  const key = JSON.stringify(queries);
  const [read, setRead] = useState<{ key: string; reports: Usage[] } | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    if (!isLive) return undefined;
    const abort = new AbortController();
    const load = async (): Promise<void> => {
      try {
        const wanted = JSON.parse(key) as UsageQuery[];
        const { signal } = abort;
        const reports = await Promise.all(wanted.map(query => call('usage', { query, signal })));
        setRead({ key, reports });
        setProblem(null);
      } catch (error) {
        if (!abort.signal.aborted) setProblem(errorText(error));
      }
    };
    void load();
    const timer = setInterval(() => void load(), pollInterval);
    return () => {
      clearInterval(timer);
      abort.abort();
    };
  }, [key, isLive]);
  return { reports: read?.key === key ? read.reports : null, problem };
};
