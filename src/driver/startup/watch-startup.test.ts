import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openTestPane, targetIn } from '../../testing/pane.ts';
import { watchStartup } from './watch-startup.ts';

/** A pane that shows a screen and records the keys that are pressed there. */
const showing = async (screen: string, shows: string) => {
  const { folder, socket, pane } = await openTestPane(dir => {
    writeFileSync(join(dir, 'screen'), screen);
    return `stty -icanon -echo; clear; cat '${dir}/screen'; exec cat >'${dir}/keys'\n`;
  }, shows);
  const keys = () => readFileSync(join(folder, 'keys'), 'utf8');
  return { target: await targetIn({ socket, pane }), keys };
};

const trust = readFileSync('test/screens/trust-2.1.197.txt', 'utf8');

test('the trust dialog is answered on request', async () => {
  const { target, keys } = await showing(trust, 'I trust this folder');
  await watchStartup({ target, every: 20, trust: true, isOver: () => keys() !== '' });
  expect(keys()).toBe('\n');
});

test('otherwise no key is pressed, and the dialog is reported', async () => {
  const { target, keys } = await showing(trust, 'I trust this folder');
  const seen: unknown[] = [];
  await watchStartup({
    target,
    every: 20,
    trust: false,
    isOver: () => seen.length > 1,
    onUnanswered: (...dialog) => seen.push(dialog),
  });
  expect(seen[0]).toEqual(['trust this folder?', true]);
  expect(keys()).toBe('');
});

test('no other dialog is ever answered', async () => {
  const { target, keys } = await showing('Detected a custom API key\n ❯ 1. Yes\n', 'API key');
  const watch = watchStartup({
    target,
    every: 20,
    trust: true,
    isOver: () => false,
    onUnanswered: (dialog, isTrust) => {
      throw new Error(`${dialog} ${isTrust}`);
    },
  });
  await expect(watch).rejects.toThrow('use the API key of the environment? false');
  expect(keys()).toBe('');
});
