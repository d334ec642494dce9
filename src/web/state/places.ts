/** The places of the page besides the sessions, in the order of the bar on top. `app.tsx` has their views. */
export const places = [
  { id: 'day', name: 'Day' },
  { id: 'waits', name: 'Waits' },
  { id: 'usage', name: 'Usage' },
  { id: 'audit', name: 'Audit' },
] as const;

export type OtherPlace = (typeof places)[number]['id'];
export type Place = 'sessions' | OtherPlace;
