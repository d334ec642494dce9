/** Tokens and cost: `drover usage` as a plot by day and tables. */
import { useMemo, useState } from 'react';
import { clean } from '../../client/text.ts';
import type { Usage } from '../../contract/usage.ts';
import type { Shown } from '../state/store.ts';
import { lastPart } from '../../client/usage-text.ts';
import { figuresCost, sessionName, tokenText } from './figures-text.ts';
import { type Metric, others, stackDays, startOf } from './stacked-days.ts';
import { UsageNotes } from './usage-notes.tsx';
import { UsagePlot } from './usage-plot.tsx';
import { UsageTable } from './usage-table.tsx';
import { useUsage } from './use-usage.ts';
import '../history/wide-view.css';
import './usage.css';

type Split = 'model' | 'project';

/** Sessions that are listed, the most expensive first. */
const sessionsShown = 15;

export const UsageView = ({ shown: { board, now } }: { shown: Shown }) => {
  const [days, setDays] = useState(30);
  const [split, setSplit] = useState<Split>('model');
  const [metric, setMetric] = useState<Metric>('cost');
  const since = startOf(days, new Date(now)).getTime();
  const { reports, problem } = useUsage(
    [
      { by: 'day', split, since },
      { by: split, since },
      { by: 'session', since },
    ],
    board.link === 'live',
  );
  const [byDay, bySplit, bySession] = reports ?? [];
  return (
    <section className="wide-view usage" aria-label="Usage">
      <header>
        <h1>Tokens and cost</h1>
        <Choice
          label="Period"
          options={periods}
          chosen={String(days)}
          onChoose={value => setDays(Number(value))}
        />
        <Choice label="Stacked by" options={splits} chosen={split} onChoose={setSplit} />
        <Choice label="Show" options={metrics} chosen={metric} onChoose={setMetric} />
      </header>
      {byDay && bySplit && bySession ? (
        <>
          <Totals usage={byDay} />
          <Plot usage={byDay} split={split} metric={metric} since={since} />
          <UsageNotes usage={byDay} />
          <div className="usage-tables">
            <UsageTable
              title={split === 'model' ? 'By model' : 'By project'}
              of={split}
              rows={bySplit.rows}
              nameOf={({ name }) => clean(partName(split, name))}
            />
            <UsageTable
              title={bySession.rows.length > sessionsShown ? 'Most expensive sessions' : 'By session'}
              of="session"
              rows={bySession.rows.slice(0, sessionsShown)}
              nameOf={row => <a href={`#/s/${row.name}`}>{clean(sessionName(row))}</a>}
            />
          </div>
        </>
      ) : problem === null ? (
        <p className="calm">Loading …</p>
      ) : (
        <p className="warning" role="alert">
          {problem}
        </p>
      )}
    </section>
  );
};

const periods = { 7: '7 days', 30: '30 days', 90: '90 days' };
const splits = { model: 'Model', project: 'Project' };
const metrics = { cost: 'Cost', tokens: 'Tokens' };

const Choice = <Value extends string>({
  label,
  options,
  chosen,
  onChoose,
}: {
  label: string;
  options: Record<Value, string>;
  chosen: Value;
  onChoose: (value: Value) => void;
}) => (
  <div className="together" role="group" aria-label={label}>
    {(Object.entries(options) as [Value, string][]).map(([value, text]) => (
      <button key={value} type="button" aria-pressed={value === chosen} onClick={() => onChoose(value)}>
        {text}
      </button>
    ))}
  </div>
);

const Totals = ({ usage: { total } }: { usage: Usage }) => (
  <dl className="usage-totals">
    {[
      ['API-equivalent cost', figuresCost(total)],
      ['input', tokenText(total.input)],
      ['output', tokenText(total.output)],
      ['cache write', tokenText(total.cacheWrite5m + total.cacheWrite1h)],
      ['cache read', tokenText(total.cacheRead)],
      ['messages', total.messages.toLocaleString('en')],
    ].map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
);

interface PlotProps {
  usage: Usage;
  split: Split;
  metric: Metric;
  since: number;
}

const Plot = ({ usage, split, metric, since }: PlotProps) => {
  const stacked = useMemo(
    () => stackDays(usage.rows, metric, new Date(since), new Date()),
    [usage, metric, since],
  );
  const nameOf = useMemo(() => (part: string) => partName(split, part), [split]);
  const label = `${metrics[metric]} by day, stacked by ${split}. Arrow keys go from day to day.`;
  return (
    <UsagePlot
      stacked={stacked}
      metric={metric}
      nameOf={nameOf}
      unpriced={usage.total.unpriced}
      label={label}
    />
  );
};

const partName = (split: Split, part: string): string =>
  split === 'project' && part !== others ? lastPart(part) : part;
