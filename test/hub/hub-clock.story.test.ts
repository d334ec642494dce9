/** Somebody sets the clock back while a session is driven: each message still gets its own answer, and each turn one wake. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { MAIN } from '../rig/drover.ts';
import { edges } from '../rig/cli.ts';
import { hubOf } from '../rig/hub.ts';
import { world } from '../rig/story.ts';
import { until } from '../rig/within.ts';

describe.each(edges)('Claude Code %s', version => {
  test('after the clock is set back by an hour a message gets its own answer, not that of an earlier one', async () => {
    const opened = await world({ version });
    const clock = join(opened.root, 'clock');
    writeFileSync(clock, '0');
    const hub = await hubOf(opened, {
      main: resolve('test/faults/clock-main.mjs'),
      env: { DROVER_FAULTS_CLOCK: clock, DROVER_FAULTS_MAIN: pathToFileURL(MAIN).href },
    });
    const { body } = await hub.create();
    const answerTo = async (word: string) => {
      const sent = await hub.send(body.id, { text: `SAY ${word}`, wait: 'answered' });
      return [sent.body.status, sent.body.answer];
    };
    expect(await answerTo('one')).toEqual(['answered', 'one']);
    const steps = () =>
      readFileSync(join(opened.droverHome, 'log', 'daemon.log'), { encoding: 'utf8', flag: 'a+' }).split(
        'The clock was set',
      ).length - 1;
    const setBack = async (to: number) => {
      const before = steps();
      writeFileSync(clock, String(to));
      await until(
        10_000,
        () => 'the daemon has not noticed',
        () => steps() > before || undefined,
      );
    };
    for (const [to, word] of [
      [-3_600_000, 'two'],
      [-7_200_000, 'three'],
      [0, 'four'],
      [-3_600_000, 'five'],
    ] as const) {
      await setBack(to);
      expect(await answerTo(word)).toEqual(['answered', word]);
      expect(await answerTo(`${word} again`)).toEqual(['answered', `${word} again`]);
    }
  });
});
