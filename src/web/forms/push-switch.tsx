/** Turns push notifications of this device on and off. */
import { useEffect, useState } from 'react';
import type { PushState } from '../../contract/push.ts';
import { call } from '../daemon/call.ts';
import { subscribe, unsubscribe } from '../daemon/push.ts';

interface Props {
  attempt: (work: Promise<unknown>) => void;
  onChange: () => Promise<void>;
}

export const PushSwitch = ({ attempt, onChange }: Props) => {
  const [state, setState] = useState<PushState | null>(null);
  const load = async () => setState(await call('readPush'));
  useEffect(() => attempt(load()), []);
  if (!state?.paired) return null;
  const { key, subscribed } = state;
  if (key === null)
    return (
      <p className="aim">
        Push notifications are off. <code>push</code> in config.json turns them on.
      </p>
    );
  const toggle = async () => {
    await (subscribed ? unsubscribe() : subscribe(key));
    await Promise.all([load(), onChange()]);
  };
  return (
    <label>
      <input type="checkbox" checked={subscribed} onChange={() => attempt(toggle())} /> Push notifications on
      this device
    </label>
  );
};
