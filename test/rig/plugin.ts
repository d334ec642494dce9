/** Drover's plugin, installed as a user does it. */
import { resolve } from 'node:path';
import { expect } from 'vitest';
import { MAIN } from './drover.ts';
import type { World } from './world.ts';

/** Where the built product lies: its marketplace file and its plugin are beside `dist`. */
export const product = resolve(MAIN, '..', '..');

/** Adds the marketplace and installs the plugin from it. */
export const installPlugin = async ({ run }: World): Promise<void> => {
  for (const words of ['marketplace add', 'install']) {
    const what = words === 'install' ? 'drover@drover' : product;
    const { code, stderr } = await run('claude', ['plugin', ...words.split(' '), what]);
    expect(stderr).toBe('');
    expect(code).toBe(0);
  }
};
