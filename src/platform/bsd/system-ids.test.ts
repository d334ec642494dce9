import { expect, test, vi } from 'vitest';
import { systemIds } from './system-ids.ts';

const ioreg = `+-o J314sAP  <class IOPlatformExpertDevice, id 0x100000227, registered, matched, active, busy 0 (18 ms), retain 38>
    {
      "IOPolledInterface" = "AppleARMWatchdogTimerHibernateHandler is not serializable"
      "IOPlatformUUID" = "0F1E2D3C-4B5A-6978-8796-A5B4C3D2E1F0"
      "model" = <"MacBookPro18,3">
      "IOPlatformSerialNumber" = "XXXXXXXXXX"
    }
`;

test('a Mac is known by the id of its hardware, which no update of macOS changes, and a boot by its own; each is read once', () => {
  const run = vi.fn((path: string, args: string[]) => {
    if (path.endsWith('/ioreg')) return ioreg;
    return args.includes('kern.bootsessionuuid') ? 'B007\n' : 'OF-THE-KERNEL\n';
  });
  const ids = systemIds(run);
  expect([ids.machineId(), ids.bootId()]).toEqual(['0F1E2D3C-4B5A-6978-8796-A5B4C3D2E1F0', 'B007']);
  expect([ids.machineId(), ids.bootId()]).toEqual(['0F1E2D3C-4B5A-6978-8796-A5B4C3D2E1F0', 'B007']);
  expect(run).toHaveBeenCalledTimes(2);
  expect([ids.earlierMachineId(), ids.earlierMachineId()]).toEqual(['OF-THE-KERNEL', 'OF-THE-KERNEL']);
  expect(run).toHaveBeenCalledTimes(3);
});

test('a system without these ids has none', () => {
  const ids = systemIds(() => {
    throw new Error('ENOENT');
  });
  expect([ids.machineId(), ids.bootId(), ids.earlierMachineId()]).toEqual(['', '', '']);
});
