/** The screen of the pane, live and in colour. */
import { memo, useEffect, useRef, useState } from 'react';
import { type Colour, type Piece, piecesOf, plainStyle, type Style } from '../../client/ansi.ts';
import { isHostAway } from '../../client/fleet-text.ts';
import type { Screen } from '../../contract/api.ts';
import { shortAddress } from '../../contract/origin.ts';
import type { Session } from '../../contract/session.ts';
import { call } from '../daemon/call.ts';
import './terminal.css';

/** tmux reports no change of a screen, so it is polled while the tab is visible. */
const pollInterval = 600;
/** Interval of reading a screen of another host: each read is a call to that host. */
const remoteInterval = 1_500;

export const Terminal = ({ session, isLive }: { session: Session; isLive: boolean }) => {
  const { screen, known } = useScreen(session, isLive);
  if (session.state === 'ended') return <p className="calm">The session has ended.</p>;
  if (session.fleet && !screen) return <Elsewhere session={session} isLoading={isLive && !known} />;
  if (!session.fleet && !session.pane)
    return <p className="calm">The session is not in a tmux pane that Drover can see.</p>;
  if (!screen) return <p className="calm">{known ? 'The pane is gone.' : 'Loading …'}</p>;
  const place = session.pane ? `pane ${session.pane.id}` : `the session on ${session.host}`;
  return (
    <div className="terminal" tabIndex={0} role="region" aria-label={`Screen of ${place}`}>
      <Lines text={screen.text} />
    </div>
  );
};

/** A pane of another host cannot be opened from a browser. */
const Elsewhere = ({ session, isLoading }: { session: Session; isLoading: boolean }) => {
  const { id, host } = session;
  if (isLoading) return <p className="calm">Loading …</p>;
  if (isHostAway(session)) return <p className="calm">{host} is away, so its screens cannot be read.</p>;
  return (
    <p className="calm">
      The session runs on {host}, and its screen is not known. <code>drover go {shortAddress(id)}</code> opens
      it in your terminal.
    </p>
  );
};

const useScreen = (
  { id, pane, state, seq, fleet }: Session,
  isLive: boolean,
): { screen: Screen | null; known: boolean } => {
  const [last, setLast] = useState<{ screen: Screen | null; known: boolean }>({
    screen: null,
    known: false,
  });
  const isRemote = fleet !== undefined;
  const isThere = (pane !== null || isRemote) && state !== 'ended' && isLive;
  const refresh = useRef(() => {});
  useEffect(() => {
    if (!isThere) return undefined;
    let busy = false;
    const abort = new AbortController();
    const read = async (): Promise<void> => {
      if (busy || document.hidden) return;
      busy = true;
      try {
        const { screen } = await call('readScreen', { id, signal: abort.signal });
        setLast(before =>
          before.known && before.screen?.text === screen?.text ? before : { screen, known: true },
        );
      } catch {
        /* the link reports that the daemon is down */
      } finally {
        busy = false;
      }
    };
    refresh.current = () => void read();
    refresh.current();
    const timer = setInterval(refresh.current, isRemote ? remoteInterval : pollInterval);
    return () => {
      clearInterval(timer);
      abort.abort();
    };
  }, [id, isThere, isRemote]);
  useEffect(() => {
    refresh.current();
  }, [seq]);
  return last;
};

const Lines = memo(({ text }: { text: string }) => {
  let style: Style = plainStyle;
  const lines = text
    .replace(/\n+$/, '')
    .split('\n')
    .map(line => {
      const { pieces, last } = piecesOf(line, style);
      style = last;
      return pieces;
    });
  const columns = Math.max(narrowest, ...lines.filter(pieces => !isRule(pieces)).map(widthOf));
  return (
    <pre style={{ '--columns': columns } as React.CSSProperties}>
      {lines.map((pieces, row) => (
        <span key={row}>
          {pieces.map((piece, n) => (
            <Part key={n} piece={isRule(pieces) ? { ...piece, text: piece.text.slice(0, columns) } : piece} />
          ))}
          {'\n'}
        </span>
      ))}
    </pre>
  );
});

/** The font size follows the longest text. Rules that are drawn across a wide pane do not count. */
const narrowest = 64;

const isRule = (pieces: Piece[]): boolean =>
  pieces.length > 0 && pieces.every(({ text }) => /^[─━═▔▁\s]*$/.test(text));

const widthOf = (pieces: Piece[]): number =>
  pieces.reduce((widest, { column, columns, text, style }) => {
    const isBlank = text.trim() === '' && style.back === null && !style.inverse;
    return isBlank ? widest : Math.max(widest, column + columns);
  }, 0);

const Part = ({ piece: { text, style } }: { piece: Piece }) => {
  const [front, back] = style.inverse
    ? [style.back ?? 'paper', style.front ?? 'ink']
    : [style.front, style.back];
  const names = [style.bold && 'b', style.dim && 'dim', style.italic && 'i', style.underline && 'u'].filter(
    Boolean,
  );
  if (front === null && back === null && names.length === 0) return text;
  return (
    <span
      className={names.join(' ') || undefined}
      style={{
        ...(front !== null && { color: css(front) }),
        ...(back !== null && { backgroundColor: css(back) }),
      }}
    >
      {text}
    </span>
  );
};

const css = (colour: Colour): string =>
  typeof colour === 'number' || colour === 'ink' || colour === 'paper' ? `var(--term-${colour})` : colour;
