/** The short form of `npm run faults`: every fault once, while hooks fire. */
import { expect, test } from 'vitest';
import { Faults, randomOf } from './faults.ts';
import { newest } from '../rig/cli.ts';
import { world } from '../rig/story.ts';

test('no event is lost or recorded twice, and every state is right, whatever is killed, filled, stepped or damaged', {
  timeout: 180_000,
}, async () => {
  const faults = new Faults(await world({ version: newest }), randomOf(1));
  await faults.open();
  const report = await faults.run(40, 1);
  expect(report).toMatchObject({ lost: [], doubled: [], wrong: [] });
  expect(Object.keys(report.faults).length).toBeGreaterThan(7);
  expect(report.events).toBeGreaterThan(100);
});
