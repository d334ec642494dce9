/** An open request in full: what every surface shows, and what an answer is checked against. */
import type { Request } from '../../contract/answer.ts';
import type { Hook } from '../../contract/hook.ts';
import type { OpenRequest, Session } from '../../contract/session.ts';
import type { RequestDetails } from './decision.ts';

/** Reads the payload of an event; null when the log no longer has it. */
export type PayloadAt = (seq: number) => Hook | null;

/** Every open request of a session with its complete input, the one that is shown first. */
export const requestsIn = (session: Session, payloadAt: PayloadAt): Request[] =>
  session.requests.map(request => {
    const payload = payloadAt(request.id);
    return {
      ...request,
      input: payload && isAnswerable(request) ? objectOf(payload.tool_input) : null,
      rememberable: suggestionsOf(payload).length > 0,
    };
  });

/** What an answer to a request is checked against. */
export const detailsOf = (payload: Hook, kind: RequestDetails['kind']): RequestDetails => ({
  kind,
  tool: typeof payload.tool_name === 'string' ? payload.tool_name : null,
  input: objectOf(payload.tool_input),
  suggestions: suggestionsOf(payload),
});

const isAnswerable = ({ kind }: OpenRequest): boolean =>
  kind === 'permission' || kind === 'question' || kind === 'plan';

const suggestionsOf = (payload: Hook | null): unknown[] =>
  Array.isArray(payload?.permission_suggestions) ? payload.permission_suggestions : [];

const objectOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};
