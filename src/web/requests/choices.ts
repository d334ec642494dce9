/** Loads what can be answered to a request. */
import { useEffect, useState } from 'react';
import type { RequestPage } from '../../contract/answer.ts';
import type { OpenRequest } from '../../contract/session.ts';
import { call } from '../daemon/call.ts';
import { errorText, hasCode } from '../daemon/daemon-error.ts';

/** Pauses between two attempts while a request cannot be answered, ms: its dialog may not be on the screen yet. */
const pauses = [400, 800, 1_500, 3_000, 5_000];

export interface Choices {
  /** Null until it is loaded. */
  page: RequestPage | null;
  problem: string | null;
  /** Loads again, as after an answer that was refused. */
  reload: () => void;
}

/** The dialog of a held request may add choices when it is painted: they are read again after this time, ms. */
const painted = 1_500;

/** Loads the choices while `isWanted`, and again until there are some. */
export const useChoices = (sessionId: string, { id, until }: OpenRequest, isWanted: boolean): Choices => {
  const [page, setPage] = useState<RequestPage | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [round, setRound] = useState(0);
  useEffect(() => {
    if (!isWanted) return undefined;
    const abort = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const load = async (tries: number): Promise<void> => {
      try {
        const loaded = await call('readRequest', { id: sessionId, request: id, signal: abort.signal });
        setPage(loaded);
        setProblem(null);
        if (loaded.way === 'hook' && tries === 0) timer = setTimeout(() => void load(1), painted);
        if (loaded.way !== 'none') return;
      } catch (error) {
        // The list says so too, and the card closes.
        if (abort.signal.aborted || hasCode(error, 'request_gone')) return;
        setProblem(errorText(error));
      }
      timer = setTimeout(() => void load(tries + 1), pauses[Math.min(tries, pauses.length - 1)]);
    };
    void load(0);
    return () => {
      abort.abort();
      clearTimeout(timer);
    };
  }, [sessionId, id, until, isWanted, round]);
  return { page, problem, reload: () => setRound(before => before + 1) };
};
