/** Builds a wake and its agent with default values, except those that a test gives. */
import type { Wake, WakeAgent } from '../contract/wake.ts';
import { freshWake } from '../wake/outbox/fresh-wake.ts';
import { defaultSettings } from '../wake/registry/settings.ts';
import { aSession } from './session.ts';

export const aWake = (more: Partial<Wake> = {}): Wake => ({
  ...freshWake({
    agent: 'warden',
    sessionId: aSession().id,
    trigger: 'response_complete',
    key: '1',
    seq: 1,
    at: 0,
    continuation: false,
  }),
  id: 'w1',
  ...more,
});

export const anAgent = (entry: Partial<WakeAgent['entry']> = {}): WakeAgent => ({
  id: 'warden',
  entry: { agent_id: 'warden', enabled: true, ...entry },
  settings: defaultSettings,
  inactive: null,
  file: null,
});
