/** Loads what the board needs beyond the stream: requests, choices, changes, projects and sessions of other hosts. */
import {
  type Board,
  changesToLoad,
  elsewhereToLoad,
  needsProjects,
  overRequest,
  requestToLoad,
  sessionToLoad,
  withDetails,
  withLoadedChanges,
  withOutcome,
  withRequestPage,
  withRequests,
} from '../client/board.ts';
import { call } from '../client/call.ts';
import { goneText } from '../client/request-text.ts';
import type { Paths } from '../paths.ts';
import { Loader, requestPage, sessionPage } from './requests.ts';

/** The board that is shown, and how to show another. */
export interface ShownBoard {
  board: () => Board;
  show: (next: Board) => void;
  /** Only the answer panel is shown. */
  isPanel: boolean;
}

/** `load` starts whatever the board needs now; what it loads is shown. */
export const openLoaders = (paths: Paths, shown: ShownBoard): { load: () => void } => {
  const requests = new Loader(
    () => sessionToLoad(shown.board(), Date.now()),
    (id: string) => sessionPage(paths, id),
    page => shown.show(withRequests(shown.board(), page.requests)),
  );
  const choices = new Loader(
    () => requestToLoad(shown.board(), Date.now()),
    wanted => requestPage(paths, wanted),
    page => shown.show(withRequestPage(shown.board(), page, Date.now())),
  );
  const projects = new Loader(
    () => (needsProjects(shown.board()) ? true : null),
    () => call(paths, 'listProjects'),
    found => shown.show({ ...shown.board(), projects: found.projects }),
  );
  const changes = new Loader(
    () => changesToLoad(shown.board()),
    async ({ id, counted }) => ({
      counted,
      found: await call(paths, 'readChanges', { id, query: { diff: 1 } }),
    }),
    ({ counted, found }) => shown.show(withLoadedChanges(shown.board(), found, counted)),
  );
  /** The row of another host whose session was asked for last. */
  let asked = '';
  const details = new Loader(
    () => {
      const wanted = shown.isPanel ? null : elsewhereToLoad(shown.board(), Date.now());
      return wanted && rowKey(wanted) !== asked ? wanted : null;
    },
    async wanted => {
      asked = rowKey(wanted);
      return { wanted, session: await sessionPage(paths, wanted.id) };
    },
    ({ wanted, session }) => shown.show(withDetails(shown.board(), wanted.seq, session, Date.now())),
  );
  /** The request whose outcome the panel already shows. */
  let explained: number | null = null;
  const outcomes = new Loader(
    () => {
      const over = overRequest(shown.board());
      return over && over.request !== explained ? over : null;
    },
    async ({ id, request }) => {
      explained = request;
      const { past } = await sessionPage(paths, id);
      return past.find(one => one.id === request);
    },
    past => past && shown.show(withOutcome(shown.board(), past.id, goneText(past, Date.now()))),
  );
  return {
    load: () => {
      for (const loader of [outcomes, choices, projects, changes, details]) void loader.load();
      if (!shown.isPanel) void requests.load();
    },
  };
};

const rowKey = ({ id, seq }: { id: string; seq: number }): string => `${id} ${seq}`;
