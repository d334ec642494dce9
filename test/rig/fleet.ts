/** Several machines in one story: worlds of their own, whose daemons are members of one fleet. */
import { onTestFinished } from 'vitest';
import { brokerIn, brokerPath } from './broker.ts';
import type { Version } from './cli.ts';
import { type MemberOptions, openFleetAt, type TestFleet } from './fleet-members.ts';
import { world } from './story.ts';

export type { Member, TestFleet } from './fleet-members.ts';

/** Why stories of the fleet cannot run here; undefined where they can. With CI set they run, and fail. */
export const noFleet =
  brokerPath === undefined && !process.env.CI ? 'nats-server is not installed' : undefined;

/** A broker that somebody runs, ended with the test. */
export const brokerOfTest = async () => {
  const broker = await brokerIn();
  onTestFinished(() => broker.close());
  await broker.start();
  return broker;
};

/** Makes a fleet with one admin, at the brokers of these addresses; with none the admin runs its own. It ends with the test. */
export const fleetAt = (
  version: Version,
  urls: string[],
  options: MemberOptions & { replicas?: number } = {},
): Promise<TestFleet> => openFleetAt(world, version, urls, options);
