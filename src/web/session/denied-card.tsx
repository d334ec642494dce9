/** What Claude Code denied in the last turn without asking, and what helps. */
import { useEffect, useState } from 'react';
import { denialText, deniedHeading, permitText } from '../../client/denied-text.ts';
import type { DeniedCall } from '../../contract/denied.ts';
import type { Denial, Session } from '../../contract/session.ts';
import { call } from '../daemon/call.ts';
import './denied-card.css';

interface Props {
  session: Session;
  /** Puts a text into the message box. */
  onOffer: (text: string) => void;
}

export const DeniedCard = ({ session, onOffer }: Props) => {
  const { denied } = session;
  const rules = useRules(session);
  if (!denied || denied.last.length === 0) return null;
  return (
    <section className="card denied" aria-label="Denied calls">
      <h2>{deniedHeading(denied)}</h2>
      <ul>
        {denied.last.map(denial => (
          <li key={denial.id}>
            <code>{denialText(denial)}</code>
            <span className="buttons">
              <button type="button" onClick={() => onOffer(permitText(denial))}>
                Write that it may …
              </button>
              <RuleButton denial={denial} rule={rules.get(denial.id) ?? null} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
};

/** Copies the permission rule. A person adds it, in a terminal: `drover denied --allow`. */
const RuleButton = ({ denial, rule }: { denial: Denial; rule: string | null }) => {
  const [isCopied, setCopied] = useState(false);
  if (rule === null) return null;
  return (
    <button
      type="button"
      title={`${rule}; \`drover denied --allow ${denial.id}\` adds it`}
      onClick={() => {
        navigator.clipboard.writeText(rule).then(
          () => setCopied(true),
          () => {},
        );
      }}
    >
      {isCopied ? 'Copied' : 'Copy rule'}
    </button>
  );
};

/** The rules of the shown calls, by id. Those of sessions of other hosts are not known here. */
const useRules = ({ id, fleet, denied }: Session): Map<number, string> => {
  const [calls, setCalls] = useState<DeniedCall[]>([]);
  const isHere = fleet === undefined;
  const total = denied?.total ?? 0;
  useEffect(() => {
    if (!isHere || total === 0) return;
    call('listDenied', { query: { session: id, last: 10 } })
      .then(page => setCalls(page.denials))
      .catch(() => {});
  }, [id, isHere, total]);
  return new Map(calls.flatMap(one => (one.rule === null ? [] : [[one.id, one.rule]])));
};
