/** The browsers and devices that are signed in, each with a button that signs it out. */
import { useEffect, useState } from 'react';
import { ago, clean } from '../../client/text.ts';
import type { Device } from '../../contract/page.ts';
import { call } from '../daemon/call.ts';
import { errorText } from '../daemon/daemon-error.ts';
import { CloseButton, Dialog } from '../shared/dialogs.tsx';
import { PushSwitch } from './push-switch.tsx';
import './forms.css';

export const Devices = ({ now, onClose }: { now: number; onClose: () => void }) => {
  const [devices, setDevices] = useState<Device[] | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const attempt = (work: Promise<unknown>): void => {
    work.then(() => setProblem(null)).catch((error: unknown) => setProblem(errorText(error)));
  };
  const load = async () => setDevices((await call('listDevices')).devices);
  useEffect(() => attempt(load()), []);
  const revoke = async (id: string) => {
    await call('revokeDevice', { id });
    await load();
  };
  return (
    <Dialog title="Devices" onClose={onClose}>
      {devices === null && problem === null && <p className="calm">Loading …</p>}
      <ul className="receivers">
        {devices?.map(({ id, name, paired, push, seen, own }) => (
          <li key={id}>
            <span>
              <strong>{clean(name)}</strong>{' '}
              {paired && <span className="mark">{push ? 'paired, notified' : 'paired'}</span>}
              <br />
              <span className="aim">{own ? 'this device' : `last seen ${ago(seen, now)} ago`}</span>
            </span>
            {!own && (
              <button type="button" className="danger" onClick={() => attempt(revoke(id))}>
                Sign out<span className="unseen"> {clean(name)}</span>
              </button>
            )}
          </li>
        ))}
      </ul>
      <PushSwitch attempt={attempt} onChange={load} />
      {problem && (
        <p className="warning" role="alert">
          {problem}
        </p>
      )}
      <p className="aim">
        <code>drover open --qr --at https://…</code> in a terminal pairs a phone or a tablet.
      </p>
      <CloseButton onClose={onClose} />
    </Dialog>
  );
};
