/** Tabs, one of them open. */
import { type ReactNode, useEffect, useId, useState } from 'react';
import { ErrorBoundary } from '../shared/error-boundary.tsx';
import { onOpenTab } from './open-tab.ts';
import './tabs.css';

/** The last open tab: another session opens with the same one. */
let last = 0;

export const Tabs = ({ tabs }: { tabs: { name: string; body: () => ReactNode }[] }) => {
  const [at, setAt] = useState(last);
  const id = useId();
  const show = (next: number): void => {
    last = (next + tabs.length) % tabs.length;
    setAt(last);
    document.getElementById(`${id}-${last}`)?.focus();
  };
  const names = tabs.map(({ name }) => name).join('\n');
  useEffect(
    () =>
      onOpenTab(name => {
        const found = names.split('\n').indexOf(name);
        if (found < 0) return;
        last = found;
        setAt(found);
        requestAnimationFrame(() => document.getElementById(`${id}-${found}`)?.focus());
      }),
    [names, id],
  );
  return (
    <section className="second" aria-label="Views">
      <div role="tablist" aria-label="Views of the session">
        {tabs.map(({ name }, n) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`${id}-${n}`}
            aria-selected={n === at}
            aria-controls={`${id}-panel`}
            tabIndex={n === at ? 0 : -1}
            onClick={() => show(n)}
            onKeyDown={event => {
              if (event.key === 'ArrowRight') show(at + 1);
              if (event.key === 'ArrowLeft') show(at - 1);
            }}
          >
            {name}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${at}`} className="panel" key={at}>
        <ErrorBoundary>{tabs[at]?.body()}</ErrorBoundary>
      </div>
    </section>
  );
};
