/** How long sessions waited for you: the figures of `drover stats` as a chart. */
import { useEffect, useState } from 'react';
import { ago } from '../../client/text.ts';
import type { Figures, Stats } from '../../contract/stats.ts';
import { call } from '../daemon/call.ts';
import type { Shown } from '../state/store.ts';
import { Notices } from './notices.tsx';
import './wide-view.css';
import './waits.css';

export const Waits = ({ shown: { board } }: { shown: Shown }) => {
  const [stats, setStats] = useState<Stats | null>(null);
  const [days, setDays] = useState(14);
  useEffect(() => {
    if (board.link !== 'live') return undefined;
    const abort = new AbortController();
    call('stats', { query: { days }, signal: abort.signal })
      .then(setStats)
      .catch(() => {});
    return () => abort.abort();
  }, [board.link, board.sessions, days]);
  return (
    <section className="wide-view" aria-label="Waits">
      <header>
        <h1>How long they waited for you</h1>
        <div className="together" role="group" aria-label="Period">
          {[7, 14, 30].map(count => (
            <button key={count} type="button" aria-pressed={days === count} onClick={() => setDays(count)}>
              {count} days
            </button>
          ))}
        </div>
      </header>
      {stats ? <Summary stats={stats} /> : <p className="calm">Loading …</p>}
      <Notices isLive={board.link === 'live'} changed={board.sessions} />
    </section>
  );
};

const Summary = ({ stats }: { stats: Stats }) => (
  <>
    <dl className="figures">
      <Figure name="waits answered" value={String(stats.waits)} />
      <Figure name="median wait" value={stats.waits ? ago(0, stats.median) : '–'} />
      <Figure name="longest" value={stats.waits ? ago(0, stats.longest) : '–'} />
      <Figure name="total" value={stats.waits ? ago(0, stats.total) : '–'} />
      <Figure
        name="waiting now"
        value={stats.open.waits ? `${stats.open.waits}, oldest ${ago(0, stats.open.longest)}` : 'none'}
      />
    </dl>
    <Days days={stats.days} />
    <div className="tables">
      <Ranked title="By reason" rows={stats.reasons} />
      <Ranked title="By project" rows={stats.projects.slice(0, 12)} />
    </div>
  </>
);

const Figure = ({ name, value }: { name: string; value: string }) => (
  <div>
    <dt>{name}</dt>
    <dd>{value}</dd>
  </div>
);

const Days = ({ days }: { days: Stats['days'] }) => {
  const most = Math.max(1, ...days.map(({ total }) => total));
  return (
    <ul className="days" aria-label="Time waited by day">
      {days.map(({ day, total, waits, median }) => (
        <li key={day} title={`${day}: ${waits} waits, median ${ago(0, median)}, ${ago(0, total)} in total`}>
          <span className="column" aria-hidden="true">
            <span style={{ height: `${(total / most) * 100}%` }} />
          </span>
          <span className="day">
            {day.slice(8)}
            <span className="unseen">
              {day}: {waits} waits, {ago(0, total)}
            </span>
          </span>
        </li>
      ))}
    </ul>
  );
};

const Ranked = ({ title, rows }: { title: string; rows: (Figures & { name: string })[] }) => {
  const most = Math.max(1, ...rows.map(({ total }) => total));
  return (
    <table className="ranked">
      <caption>{title}</caption>
      <thead>
        <tr>
          <th scope="col">name</th>
          <th scope="col">waits</th>
          <th scope="col">median</th>
          <th scope="col">total</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ name, waits, median, total }) => (
          <tr key={name}>
            <th scope="row">
              {name}
              <span className="share" style={{ width: `${(total / most) * 100}%` }} aria-hidden="true" />
            </th>
            <td>{waits}</td>
            <td>{ago(0, median)}</td>
            <td>{ago(0, total)}</td>
          </tr>
        ))}
        {rows.length === 0 && (
          <tr>
            <td colSpan={4}>None yet</td>
          </tr>
        )}
      </tbody>
    </table>
  );
};
