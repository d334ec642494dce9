/** A wake and its agent, with whatever a test wants to be different. */
import type { Wake, WakeAgent } from '../contract/wake.ts';
import { builtIn } from '../wake/settings.ts';
import { aSession } from './session.ts';

export const aWake = (more: Partial<Wake> = {}): Wake => ({
  id: 'w1',
  agent: 'warden',
  sessionId: aSession().id,
  trigger: 'response_complete',
  key: '1',
  seq: 1,
  at: 0,
  continuation: false,
  status: 'pending',
  source: null,
  tries: 0,
  together: 1,
  parcel: null,
  due: 0,
  doneAt: null,
  duration: null,
  reason: null,
  ...more,
});

export const anAgent = (entry: Partial<WakeAgent['entry']> = {}): WakeAgent => ({
  id: 'warden',
  entry: { agent_id: 'warden', enabled: true, ...entry },
  settings: builtIn,
  inactive: null,
});
