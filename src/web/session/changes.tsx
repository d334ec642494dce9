/** The files that a session changed, with diffs by file or by turn. */
import { type ReactNode, useEffect, useState } from 'react';
import { changesLabel, linesLabel } from '../../client/board.ts';
import { ago, clean } from '../../client/text.ts';
import type { Changes as Found, FileChange } from '../../contract/changes.ts';
import type { Session } from '../../contract/session.ts';
import { shortId } from '../../contract/short-id.ts';
import { call } from '../daemon/call.ts';
import { clockTime } from '../shared/clock.ts';
import '../requests/tool-input.css';
import './changes.css';

/** Parts that are open at first. */
const openAtFirst = 5;

type Grouping = 'file' | 'turn';

/** The choice is the same for all sessions. */
let lastGrouping: Grouping = 'file';

export const Changes = ({ session, isLive, now }: { session: Session; isLive: boolean; now: number }) => {
  const { changes, problem } = useChanges(session, isLive);
  const [grouping, setGrouping] = useState(lastGrouping);
  if (problem !== null) return <p className="warning">{problem}</p>;
  if (changes === null) return <p className="calm">Loading …</p>;
  if (changes.files.length === 0) return <p className="calm">No changes.</p>;
  const choose = (next: Grouping) => {
    lastGrouping = next;
    setGrouping(next);
  };
  return (
    <div className="changes">
      <div className="head">
        <strong>{changesLabel({ changes: changes.total })}</strong>
        <div role="group" aria-label="Group diffs">
          {(['file', 'turn'] as const).map(name => (
            <button key={name} type="button" aria-pressed={grouping === name} onClick={() => choose(name)}>
              By {name}
            </button>
          ))}
        </div>
      </div>
      <Collisions changes={changes} now={now} />
      {grouping === 'file' ? <ByFile changes={changes} now={now} /> : <ByTurn changes={changes} />}
    </div>
  );
};

const Collisions = ({ changes: { collisions }, now }: { changes: Found; now: number }) =>
  collisions.length > 0 && (
    <ul className="warning">
      {collisions.map(({ path, sessionId, at }) => (
        <li key={`${path} ${sessionId}`}>
          {clean(path)} is changed by <a href={`#/s/${sessionId}`}>{shortId(sessionId)}</a> too,{' '}
          {ago(at, now)} ago.
        </li>
      ))}
    </ul>
  );

const ByFile = ({ changes: { files, turns }, now }: { changes: Found; now: number }) =>
  files.map((file, n) => (
    <Part
      key={file.path}
      isOpen={n < openAtFirst}
      title={
        <>
          <span className="path">{clean(file.name)}</span>
          <span className="count">{file.isInferred ? 'inferred' : linesLabel(file)}</span>
          {file.isNew && <span className="mark">new</span>}
          <span className="age">{ago(file.at, now)}</span>
        </>
      }
    >
      {() =>
        turns
          .flatMap(turn => turn.changes)
          .filter(({ path }) => path === file.path)
          .map(change => <Diff key={change.seq} change={change} />)
      }
    </Part>
  ));

const ByTurn = ({ changes: { turns, files } }: { changes: Found }) => {
  const names = new Map(files.map(({ path, name }) => [path, name]));
  return turns.toReversed().map((turn, n) => (
    <Part
      key={turn.id ?? 0}
      isOpen={n < openAtFirst}
      title={
        <>
          <time>{clockTime(turn.at)}</time>
          <span className="path">{clean(turn.prompt ?? 'Turn')}</span>
          <span className="count">{linesLabel(sumOf(turn.changes))}</span>
        </>
      }
    >
      {() =>
        turn.changes.map(change => (
          <div key={`${change.seq} ${change.path}`}>
            <p className="path">{clean(names.get(change.path) ?? change.path)}</p>
            <Diff change={change} />
          </div>
        ))
      }
    </Part>
  ));
};

const sumOf = (changes: FileChange[]) => ({
  added: changes.reduce((sum, { added }) => sum + added, 0),
  removed: changes.reduce((sum, { removed }) => sum + removed, 0),
});

/** Opens and closes. What is closed is not rendered: a session can have thousands of lines. */
const Part = (props: { title: ReactNode; isOpen: boolean; children: () => ReactNode }) => {
  const [isOpen, setOpen] = useState(props.isOpen);
  return (
    <details open={isOpen} onToggle={event => setOpen(event.currentTarget.open)}>
      <summary>{props.title}</summary>
      {isOpen && props.children()}
    </details>
  );
};

const Diff = ({ change: { patch, isInferred, isCut } }: { change: FileChange }) => {
  if (isInferred) return <p className="calm">Changed by a shell command (inferred).</p>;
  return (
    <>
      {patch !== null && patch !== '' && (
        <div className="diff" tabIndex={0} role="region" aria-label="Diff">
          {clean(patch)
            .split('\n')
            .map((line, n) => (
              <DiffLine key={n} line={line} />
            ))}
        </div>
      )}
      {isCut && <p className="calm">Part of this diff was not kept.</p>}
    </>
  );
};

const DiffLine = ({ line }: { line: string }) => {
  if (line.startsWith('@@')) return <span className="place">{line}</span>;
  const text = line.slice(1) || ' ';
  if (line.startsWith('+')) return <ins>{text}</ins>;
  return line.startsWith('-') ? <del>{text}</del> : <span>{text}</span>;
};

/** Loads again whenever the counts of the session change. */
const useChanges = ({ id, changes: counts, collisions }: Session, isLive: boolean) => {
  const [found, setFound] = useState<{ changes: Found | null; problem: string | null }>({
    changes: null,
    problem: null,
  });
  const version = JSON.stringify([counts, collisions]);
  useEffect(() => {
    if (!isLive) return undefined;
    const abort = new AbortController();
    call('readChanges', { id, query: { diff: 1 }, signal: abort.signal }).then(
      changes => setFound({ changes, problem: null }),
      (error: unknown) => {
        if (!abort.signal.aborted) setFound({ changes: null, problem: (error as Error).message });
      },
    );
    return () => abort.abort();
  }, [id, version, isLive]);
  return found;
};
