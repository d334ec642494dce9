/** Usage by model, project or session as a table. */
import type { ReactNode } from 'react';
import type { UsageFigures, UsageRow } from '../../contract/usage.ts';
import { figuresCost, tokenText } from './figures-text.ts';
import './usage-table.css';

interface Props {
  title: string;
  /** What the first column contains. */
  of: string;
  rows: UsageRow[];
  nameOf: (row: UsageRow) => ReactNode;
  /** Rows below the others, such as the total. */
  children?: ReactNode;
}

export const UsageTable = ({ title, of, rows, nameOf, children }: Props) => (
  <div className="usage-table" tabIndex={0} role="region" aria-label={title}>
    <table>
      <caption>{title}</caption>
      <thead>
        <tr>
          {[of, 'input', 'output', 'cache write', 'cache read', 'cost'].map(name => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(row => (
          <FiguresRow key={row.name} name={nameOf(row)} title={row.name} figures={row} />
        ))}
        {rows.length === 0 && (
          <tr>
            <td colSpan={6}>None in this period</td>
          </tr>
        )}
        {children}
      </tbody>
    </table>
  </div>
);

export const FiguresRow = ({
  name,
  title,
  figures,
}: {
  name: ReactNode;
  title?: string;
  figures: UsageFigures;
}) => (
  <tr>
    <th scope="row" title={title}>
      {name}
    </th>
    <td>{tokenText(figures.input)}</td>
    <td>{tokenText(figures.output)}</td>
    <td>{tokenText(figures.cacheWrite5m + figures.cacheWrite1h)}</td>
    <td>{tokenText(figures.cacheRead)}</td>
    <td title={figures.cost === null ? 'No price known' : undefined}>{figuresCost(figures)}</td>
  </tr>
);
