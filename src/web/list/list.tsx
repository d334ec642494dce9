/** The list: waiting sessions first, each with project, reason, age and summary. */
import { memo, useLayoutEffect, useRef } from 'react';
import {
  changesLabel,
  collisionLabel,
  commands,
  deferredLabel,
  type Group,
  groupLabels,
  linesLabel,
  titleOf,
  type Row,
  stateText,
  toneOf,
  tooltipOf,
} from '../../client/board.ts';
import { awayText, hasHosts, lastKnownText, unreachableText } from '../../client/fleet-text.ts';
import { summaryLine } from '../../client/request-text.ts';
import { ago, clean } from '../../client/text.ts';
import type { Actions } from '../state/actions.ts';
import type { Shown } from '../state/store.ts';
import { placeText } from './place-text.ts';
import { HostFilter } from './host-filter.tsx';
import { MarkBar } from './mark-bar.tsx';
import { Quotas } from '../head/quotas.tsx';
import './list.css';

interface Props {
  shown: Shown;
  rows: Row[];
  filterField: React.RefObject<HTMLInputElement | null>;
  onFilter: (filter: string) => void;
  onEnded: (ended: boolean) => void;
  actions: Actions;
}

export const List = ({ shown, rows, filterField, onFilter, onEnded, actions }: Props) => {
  const { board, now } = shown;
  const isEndedChosen = rows.some(({ group, session }) => group === 'ended' && session.id === board.selected);
  const withEnded = shown.ended || isEndedChosen;
  const visible = rows.filter(({ group }) => withEnded || group !== 'ended');
  const scroller = useRef<HTMLDivElement>(null);
  useGlide(scroller, visible.map(({ session }) => session.id).join(' '));
  const order: Group[] = ['waiting', 'deferred', 'working', 'ready', 'limit', 'away', 'parked', 'ended'];
  const unreachable = board.fleet && unreachableText(board.fleet, hasHosts(board.sessions.values()));
  const first = visible[0]?.session.id;
  return (
    <section className="list" aria-label="Sessions">
      <div className="filter">
        <button
          type="button"
          title={tooltipOf('new')}
          aria-label={commands.new.label}
          onClick={() => actions.run('new')}
        >
          +
        </button>
        <input
          ref={filterField}
          type="search"
          placeholder={board.fleet ? 'Filter  /   tag: state: host:' : 'Filter  /   tag: branch: state:'}
          aria-label="Filter sessions"
          value={board.filter}
          onChange={event => onFilter(event.target.value)}
          onKeyDown={event => {
            if (event.key === 'Escape') onFilter('');
            if (event.key === 'Escape' || event.key === 'Enter') event.currentTarget.blur();
          }}
        />
        {board.fleet && board.fleet.hosts.length > 0 && (
          <HostFilter fleet={board.fleet} filter={board.filter} onFilter={onFilter} />
        )}
      </div>
      <Quotas sessions={board.sessions.values()} now={now} />
      {shown.marked.size > 0 && <MarkBar shown={shown} actions={actions} />}
      <div className={`scroller${board.link === 'down' ? ' stale' : ''}`} ref={scroller}>
        {board.link === 'down' && (
          <p className="warning" role="alert">
            {navigator.onLine ? 'Reconnecting. ' : 'You are offline. '}
            Showing the last known state.
            {navigator.onLine && (
              <>
                <br />
                Start the daemon with <code>drover up</code>.
              </>
            )}
          </p>
        )}
        {board.link === 'live' && unreachable !== null && (
          <p className="warning" role="status">
            {unreachable}
          </p>
        )}
        {order.map(group => {
          const inGroup = visible.filter(row => row.group === group);
          if (inGroup.length === 0 && group !== 'waiting') return null;
          return (
            <section key={group} className={`group ${group}`} aria-labelledby={`group-${group}`}>
              <h2 id={`group-${group}`}>
                {groupLabels[group]} <span className="number">{inGroup.length}</span>
              </h2>
              {inGroup.length === 0 && board.link === 'live' && (
                <p className="calm">{board.filter ? 'No matching sessions.' : 'No session is waiting.'}</p>
              )}
              <ul>
                {inGroup.map(row => (
                  <SessionRow
                    key={row.session.id}
                    row={row}
                    state={awayText(row.session, now) || stateText(row.session, now)}
                    age={ago(row.session.since, now)}
                    later={row.until === null ? '' : ago(now, row.until)}
                    isSelected={row.session.id === board.selected}
                    isStop={row.session.id === (board.selected ?? first)}
                    isMarked={shown.marked.has(row.session.id)}
                    open={actions.open}
                    mark={actions.mark}
                  />
                ))}
              </ul>
            </section>
          );
        })}
        {board.link !== 'starting' && (
          <button type="button" className="quiet more" onClick={() => onEnded(!withEnded)}>
            {withEnded ? 'Hide ended sessions' : 'Show ended sessions'}
          </button>
        )}
      </div>
    </section>
  );
};

interface RowProps {
  row: Row;
  state: string;
  age: string;
  later: string;
  isSelected: boolean;
  isStop: boolean;
  isMarked: boolean;
  open: (id: string) => void;
  mark: (id: string) => void;
}

const RowText = ({ row, state, age, later, isSelected, isStop, isMarked, open, mark }: RowProps) => {
  const { session, position, deferred } = row;
  const putOff = deferredLabel(deferred);
  const line = [lastKnownText(session), plainLine(summaryLine(session))].filter(Boolean).join(' ');
  return (
    <li data-id={session.id} className={isMarked ? 'marked' : undefined}>
      <input
        type="checkbox"
        tabIndex={-1}
        aria-label={`Mark ${titleOf(session)}`}
        checked={isMarked}
        onChange={() => mark(session.id)}
      />
      <a
        className={`row ${toneOf(row)}`}
        data-row=""
        href={`#/s/${session.id}`}
        aria-current={isSelected}
        tabIndex={isStop ? 0 : -1}
        onClick={event => {
          if (event.metaKey || event.ctrlKey || event.shiftKey) return;
          event.preventDefault();
          open(session.id);
        }}
      >
        <span className="position" aria-hidden="true">
          {position !== null && position <= 9 ? position : ''}
        </span>
        <span className="what">
          <span className="name">{titleOf(session)}</span>
          <span className="why">{state}</span>
          {session.tags.map(tag => (
            <span key={tag} className="mark">
              {clean(tag)}
            </span>
          ))}
          {session.changes && (
            <span className="mark changes">
              {session.collisions.length > 0 ? linesLabel(session.changes) : changesLabel(session)}
            </span>
          )}
          {putOff && <span className="mark">{later ? `${putOff}, ${later}` : putOff}</span>}
          {session.hooks === 'silent' && session.state !== 'ended' && (
            <span className="mark alarm">silent</span>
          )}
          {session.collisions.length > 0 && (
            <span className="mark alarm">{clean(collisionLabel(session))}</span>
          )}
        </span>
        <span className="age">{age}</span>
        <span className="line">
          {session.fleet && (
            <>
              <span className="mark">{clean(session.fleet.name)}</span>{' '}
            </>
          )}
          <span className="where">{placeText(session)}</span>{' '}
          {line || (placeText(session) || session.fleet ? '' : clean(session.dir ?? ''))}
        </span>
      </a>
    </li>
  );
};

/** In one line Markdown's marks are noise. */
const plainLine = (text: string): string => text.replace(/\*\*|`+|^#+ /g, '');

const SessionRow = memo(
  RowText,
  (a, b) =>
    a.row.session === b.row.session &&
    a.row.group === b.row.group &&
    a.row.position === b.row.position &&
    a.row.deferred === b.row.deferred &&
    a.state === b.state &&
    a.age === b.age &&
    a.later === b.later &&
    a.isSelected === b.isSelected &&
    a.isStop === b.isStop &&
    a.isMarked === b.isMarked &&
    a.mark === b.mark &&
    a.open === b.open,
);

/** Animates rows to their new places. */
const useGlide = (scroller: React.RefObject<HTMLElement | null>, order: string): void => {
  const tops = useRef(new Map<string, number>());
  useLayoutEffect(() => {
    const before = tops.current;
    const after = new Map<string, number>();
    const items = scroller.current?.querySelectorAll<HTMLElement>('li[data-id]') ?? [];
    for (const item of items) after.set(item.dataset.id as string, item.offsetTop);
    tops.current = after;
    if (before.size === 0 || matchMedia('(prefers-reduced-motion: reduce)').matches) return;
    const { scrollTop = 0, clientHeight = 0 } = scroller.current ?? {};
    const isNear = (top: number) => top > scrollTop - clientHeight && top < scrollTop + 2 * clientHeight;
    for (const item of items) {
      // Rows out of sight are not animated: with many sessions that is most of them.
      if (!isNear(after.get(item.dataset.id as string) as number)) continue;
      const was = before.get(item.dataset.id as string);
      const moved = was === undefined ? 0 : was - (after.get(item.dataset.id as string) as number);
      if (moved !== 0)
        item.animate([{ transform: `translateY(${moved}px)` }, { transform: 'none' }], {
          duration: 180,
          easing: 'ease-out',
        });
      else if (was === undefined) item.animate([{ opacity: 0 }, { opacity: 1 }], { duration: 180 });
    }
  }, [scroller, order]);
};
