/** Tokens and cost of one session, by model. */
import { clean } from '../../client/text.ts';
import type { Session } from '../../contract/session.ts';
import { FiguresRow, UsageTable } from './usage-table.tsx';
import { UsageNotes } from './usage-notes.tsx';
import { useUsage } from './use-usage.ts';
import './usage.css';

export const SessionUsage = ({ session: { id }, isLive }: { session: Session; isLive: boolean }) => {
  const { reports, problem } = useUsage([{ by: 'model', session: id }], isLive);
  const [usage] = reports ?? [];
  if (problem !== null && !usage) return <p className="warning">{problem}</p>;
  if (!usage) return <p className="calm">Loading …</p>;
  return (
    <>
      <UsageTable title="Tokens and cost" of="model" rows={usage.rows} nameOf={({ name }) => clean(name)}>
        {usage.rows.length > 1 && <FiguresRow name="total" figures={usage.total} />}
      </UsageTable>
      <UsageNotes usage={{ ...usage, budgets: [] }} />
    </>
  );
};
