/** Usage by day as stacked columns. The figures of a day are shown while it is under the pointer or has the focus. */
import { memo, type KeyboardEvent, useState } from 'react';
import { clean } from '../../client/text.ts';
import { costText } from '../../client/usage-text.ts';
import { tokenText } from './figures-text.ts';
import type { Metric, StackedDay, StackedDays } from './stacked-days.ts';
import './usage-plot.css';

interface Props {
  stacked: StackedDays;
  metric: Metric;
  /** How a part is shown: a project by its last directory. */
  nameOf: (part: string) => string;
  /** Parts without a known price, which have no cost. */
  unpriced: string[];
  label: string;
}

const height = 160;
const width = 1_000;

/** Memoised: the page renders every second. */
export const UsagePlot = memo(({ stacked, metric, nameOf, unpriced, label }: Props) => {
  const { days, parts, most } = stacked;
  const [chosen, setChosen] = useState<string | null>(null);
  const at = Math.max(0, chosen === null ? days.length - 1 : days.findIndex(({ day }) => day === chosen));
  const text = metric === 'cost' ? costText : (tokens: number) => `${tokenText(tokens)} tokens`;
  const step = width / Math.max(1, days.length);
  const move = (event: KeyboardEvent<SVGSVGElement>): void => {
    const next = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: days.length - 1 }[event.key];
    const day = days[next ?? -1]?.day;
    if (day === undefined) return;
    event.preventDefault();
    setChosen(day);
    event.currentTarget.querySelector<SVGElement>(`[data-day="${day}"]`)?.focus();
  };
  return (
    <figure className="usage-plot">
      <p className="most" aria-hidden="true">
        {text(most)}
      </p>
      <svg
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        role="group"
        aria-label={label}
        onKeyDown={move}
      >
        {days.map((day, n) => (
          <g
            key={day.day}
            role="img"
            aria-label={describe(day, parts, nameOf, text)}
            data-day={day.day}
            tabIndex={n === at ? 0 : -1}
            className={n === at ? 'chosen' : undefined}
            onPointerEnter={() => setChosen(day.day)}
            onFocus={() => setChosen(day.day)}
          >
            <rect className="hit" x={n * step} y={0} width={step} height={height} />
            <Column day={day} most={most} x={n * step + step * 0.1} wide={step * 0.8} />
          </g>
        ))}
      </svg>
      <p className="ends" aria-hidden="true">
        <span>{days[0]?.day}</span>
        <span>{days.at(-1)?.day}</span>
      </p>
      {days[at] && (
        <DayFigures
          day={days[at]}
          parts={parts}
          nameOf={nameOf}
          unpriced={metric === 'cost' ? unpriced : []}
          text={text}
        />
      )}
    </figure>
  );
});

const Column = ({ day, most, x, wide }: { day: StackedDay; most: number; x: number; wide: number }) => {
  let top = height;
  return day.values.map((value, n) => {
    if (value === 0) return null;
    const tall = (value / most) * height;
    top -= tall;
    return <rect key={n} className={`part-${n}`} x={x} y={top} width={wide} height={tall} />;
  });
};

type Text = (value: number) => string;

const describe = ({ day, total, values }: StackedDay, parts: string[], nameOf: Props['nameOf'], text: Text) =>
  [
    `${day}: ${text(total)}`,
    ...values.flatMap((value, n) => (value > 0 ? `${nameOf(parts[n] ?? '')} ${text(value)}` : [])),
  ].join(', ');

/** The colours with their names, and the figures of one day. */
const DayFigures = ({
  day,
  parts,
  nameOf,
  unpriced,
  text,
}: {
  day: StackedDay;
  parts: string[];
  nameOf: Props['nameOf'];
  unpriced: string[];
  text: Text;
}) => (
  <figcaption>
    <p>
      <strong>{day.day}</strong> {text(day.total)}
    </p>
    <ul aria-label="Colours">
      {parts.map((part, n) => (
        <li key={part} title={clean(part)}>
          <span className={`swatch part-${n}`} aria-hidden="true" /> {clean(nameOf(part))}{' '}
          <span className="number">
            {day.values[n] === 0 && unpriced.includes(part) ? 'no price' : text(day.values[n] ?? 0)}
          </span>
        </li>
      ))}
    </ul>
  </figcaption>
);
