/** `drover fleet broker host` and `remove`: what an admin runs here over SSH to have this machine run its broker. */
import { text as textOf } from 'node:stream/consumers';
import { call as ask } from '../../client/call.ts';
import { runningDaemon } from '../../client/running.ts';
import { DroverError } from '../../contract/error.ts';
import { hostBroker, BrokerRequest, readHosted, removeHosted } from '../../fleet/broker/hosted-broker.ts';
import { limits } from '../../limits.ts';
import { type Call, flag } from '../verb.ts';
import { confirmChange } from './confirm-change.ts';
import { reload } from './reload.ts';

/** Reads settings that `drover fleet init --on` and the admin's daemon send to standard input. */
export const hostBrokerFromInput = async (call: Call): Promise<number> => {
  if (process.stdin.isTTY)
    throw new DroverError(
      'usage',
      'drover fleet broker host reads settings that `drover fleet init --on` sends from another machine.',
    );
  const request = requestIn(await textOf(process.stdin));
  await hostBroker(call.paths, request, call.env);
  if (request.purpose === 'new') await reload(call);
  call.out(flag(call, 'json') ? JSON.stringify({ ok: true }) : 'The broker has its settings.');
  return 0;
};

/** Removes the broker that this machine runs for another one; if a fleet is given, only that fleet's. */
export const removeHostedBroker = async (call: Call, fleet: string | null): Promise<number> => {
  const { paths } = call;
  const hosted = readHosted(paths);
  const isWanted = hosted !== null && (fleet === null || hosted.fleet === fleet);
  if (isWanted && fleet === null) {
    const { name } = hosted.admin;
    const question = `Remove the broker of the fleet of ${name}? Its hosts will no longer see each other.`;
    if (!(await confirmChange(call, 'broker remove', question))) return 1;
  }
  const isRemoved = isWanted && (await removeHosted(paths));
  if (isRemoved && (await runningDaemon(paths)))
    await ask(paths, 'reloadFleet', { timeout: limits.fleet.connected });
  if (flag(call, 'json')) call.out(JSON.stringify({ ok: true, removed: isRemoved }));
  else call.out(isRemoved ? 'Removed the broker and its data.' : 'This machine runs no broker for another.');
  return 0;
};

const requestIn = (text: string): BrokerRequest => {
  try {
    return BrokerRequest.parse(JSON.parse(text));
  } catch (error) {
    throw new DroverError(
      'usage',
      `The settings of the broker cannot be read: ${(error as Error).message.slice(0, 200)}`,
      'They may come from another version of drover. Update both machines.',
    );
  }
};
