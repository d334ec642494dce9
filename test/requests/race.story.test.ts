/** Somebody at the terminal answers at the same moment: there is one effect, and whoever was slower is told. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pauseFor } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { versions } from '../rig/cli.ts';
import { heldSession } from '../rig/requests.ts';

/** How long the key at the terminal comes before the answer, ms. */
const leads = (process.env.DROVER_TEST_LEADS ?? '60,20,5,0,-10').split(',').map(Number);

describe.each(versions)('Claude Code %s', version => {
  test.each([
    ['allows', 'Yes', { behavior: 'deny', message: 'not now' }, true],
    ['denies', 'No', { behavior: 'allow' }, false],
  ] as const)(
    'the terminal %s while a program answers the opposite',
    { timeout: 120_000 },
    async (_, option, answer, runs) => {
      const { story, hub, seat, id, held, waiters } = await heldSession(version);
      for (const [round, lead] of leads.entries()) {
        const name = `raced-${round}`;
        await seat.type(`RUN touch ${name}`);
        const [request] = await held(1);
        const screen = await seat.asks('Do you want to proceed?');
        const [, key = ''] = new RegExp(`(\\d)\\. ${option}\\b`).exec(screen) ?? [];
        const press = () => story.tmux(['send-keys', '-t', seat.pane, key]);
        const pressed = lead < 0 ? pauseFor(-lead).then(press) : press();
        await pauseFor(Math.max(0, lead));
        const { status, body } = await hub.answer(id, { ...answer, id: request?.id });
        await pressed;
        await hub.is(
          id,
          ({ state, reason }) => state === 'waiting' && (reason === 'stopped' || reason === 'interrupted'),
        );
        const hasRun = existsSync(join(story.dir(), name));
        // The terminal decided, or the program; what it was told is what happened.
        const told = status === 200 ? answer.behavior === 'allow' : runs;
        expect([lead, status, body, hasRun]).toEqual([lead, status, body, told]);
        if (status !== 200) {
          expect(body).toMatchObject({
            error: {
              code: 'request_gone',
              message: expect.stringMatching(
                new RegExp(`^Already ${runs ? 'allowed' : 'denied'} in the terminal`),
              ) as string,
            },
          });
        }
        const again = await hub.answer(id, { ...answer, id: request?.id });
        expect(again.body.error?.message).toMatch(
          status === 200
            ? new RegExp(`^Already ${answer.behavior === 'allow' ? 'allowed' : 'denied'} through Drover`)
            : new RegExp(`^Already ${runs ? 'allowed' : 'denied'} in the terminal`),
        );
        if (process.env.DROVER_TEST_LEADS) console.log(version, option, lead, status, hasRun);
        await waiters(0);
        // A key that came too late is in the prompt, or "No" has restored the prompt.
        await seat.press('C-u');
      }
    },
  );
});
