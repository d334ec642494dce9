/** The conversation, newest at the end. */
import { useEffect, useRef, useState } from 'react';
import type { TranscriptPage } from '../../contract/hub.ts';
import type { Session } from '../../contract/session.ts';
import { call } from '../daemon/call.ts';
import { hasCode } from '../daemon/daemon-error.ts';
import { hourTime } from '../shared/clock.ts';
import { Markdown } from '../shared/lazy-markdown.tsx';
import './transcript.css';

const pageSize = 500;
const shownAtFirst = 60;

type Message = TranscriptPage['messages'][number];

export const Transcript = ({ session }: { session: Session }) => {
  const { messages, problem } = useTranscript(session);
  const [most, setMost] = useState(shownAtFirst);
  const end = useRef<HTMLLIElement>(null);
  const count = messages?.length ?? 0;
  useEffect(() => {
    end.current?.scrollIntoView({ block: 'nearest' });
  }, [count]);
  if (problem) return <p className="calm">{problem}</p>;
  if (!messages) return <p className="calm">Loading …</p>;
  return (
    <>
      {messages.length > most && (
        <button type="button" className="quiet more" onClick={() => setMost(most + 200)}>
          {messages.length - most} earlier messages
        </button>
      )}
      <ol className="transcript" aria-label="Conversation">
        {messages.slice(-most).map((message, n) => (
          <MessageView key={messages.length - most + n} message={message} />
        ))}
        <li ref={end} aria-hidden="true" />
      </ol>
    </>
  );
};

const MessageView = ({ message: { role, text, tools, at } }: { message: Message }) => (
  <li className={role}>
    <p className="who">
      {role === 'user' ? 'you' : 'Claude'} {at !== null && <time>{hourTime(at)}</time>}
    </p>
    {text && <Markdown text={text} />}
    {tools.length > 0 && (
      <p className="tools">
        {tools.map((tool, n) => (
          <span key={n} className="mark">
            {tool}
          </span>
        ))}
      </p>
    )}
  </li>
);

/** Reads all messages; continues after the last complete page whenever the session changes. */
const useTranscript = ({
  id,
  seq,
  transcript,
}: Session): { messages: Message[] | null; problem: string | null } => {
  const [known, setKnown] = useState<{ messages: Message[] | null; problem: string | null }>({
    messages: null,
    problem: null,
  });
  /** Complete pages, which no longer change, and the offset after them. */
  const pages = useRef<{ messages: Message[]; after: number }>({ messages: [], after: 0 });
  useEffect(() => {
    const abort = new AbortController();
    const read = async (): Promise<void> => {
      for (;;) {
        const { after } = pages.current;
        const page = await call('readTranscript', {
          id,
          query: { after, limit: pageSize },
          signal: abort.signal,
        });
        const messages = [...pages.current.messages, ...page.messages];
        if (page.next === null) {
          setKnown({ messages, problem: null });
          return;
        }
        pages.current = { messages, after: page.next };
      }
    };
    read().catch((error: unknown) => {
      if (abort.signal.aborted) return;
      const none = hasCode(error, 'no_transcript');
      setKnown(before => ({ ...before, problem: none ? 'No messages yet.' : (error as Error).message }));
    });
    return () => abort.abort();
  }, [id, seq, transcript]);
  return known;
};
