/** A call of a route, for tests that call a handler directly. */
import type { Call } from '../server/call.ts';

export const callOf = <Body>(body: Body, fields: Partial<Omit<Call, 'body'>> = {}): Call<Body> => ({
  params: { id: '' },
  query: new URLSearchParams(),
  headers: {},
  caller: { kind: 'cli', name: null, session: null, rights: [] },
  action: {},
  onLeave: () => {},
  ...fields,
  body,
});
