/** One prompt, one answer: compare `drover print` with `claude -p` on the same prompts. */
import { describe, expect, test } from 'vitest';
import { edges, newest } from '../rig/cli.ts';
import { MAIN } from '../rig/drover.ts';
import { awaitNothingLeft, print, startPrint, transcriptOf } from '../rig/print.ts';
import { world } from '../rig/story.ts';
import { until } from '../rig/within.ts';

describe.each(edges)('Claude Code %s', version => {
  test('text, json and stream-json answer as `claude -p` does', async () => {
    const opened = await world({ version });
    for (const prompt of ['SAY Ünïcödé 日本 🎉\n  "two" lines', 'RUN echo hi']) {
      const [theirs, ours] = [await opened.headless({ prompt }), await print(opened, [prompt])];
      expect([prompt, ours]).toEqual([prompt, theirs]);
    }
    const theirs = JSON.parse(
      (await opened.headless({ prompt: 'RUN echo hi', args: ['--output-format', 'json'] })).stdout,
    );
    const { code, stdout, stderr } = await print(opened, ['RUN echo hi', '-o', 'json']);
    expect([code, stderr]).toEqual([0, '']);
    const ours = JSON.parse(stdout);
    expect(stdout).toBe(`${JSON.stringify(ours)}\n`);
    expect(Object.keys(ours)).toEqual(Object.keys(ours).sort());
    for (const same of ['type', 'subtype', 'is_error', 'num_turns', 'result', 'stop_reason'])
      expect([same, ours[same]]).toEqual([same, theirs[same]]);
    expect(ours).toMatchObject({
      claude_version: version,
      usage: { output_tokens: theirs.usage.output_tokens },
    });
    expect(transcriptOf(opened, ours.session_id)).toContain('"entrypoint":"cli"');

    const streamed = await print(opened, ['RUN echo hi', '-o', 'stream-json']);
    expect([streamed.code, streamed.stderr]).toEqual([0, '']);
    const { sessionId } = JSON.parse(streamed.stdout.split('\n')[0] ?? '') as { sessionId: string };
    expect(streamed.stdout).toBe(transcriptOf(opened, sessionId));
    const live = ['--output-format', 'stream-json', '--verbose'];
    const told = await opened.headless({ prompt: 'RUN echo hi', args: live });
    expect(told.code).toBe(0);
    expect(messagesOf(streamed.stdout)).toEqual(messagesOf(told.stdout));
    expect(messagesOf(streamed.stdout)).toEqual(['tool_use Bash', 'text done']);
    await awaitNothingLeft(opened);
    // Eight runs of the CLI, one after another.
  }, 120_000);

  test('a failure of the assistant exits with 1, reported in the right place of each format', async () => {
    const opened = await world({ version });
    const message = 'API Error: 400 The story asked for 400';
    const object = {
      claude_version: version,
      error_message: message,
      is_error: true,
      subtype: 'assistant_error',
      type: 'result',
    };
    const [theirs, theirJson, text, json, streamed, turns, wrong] = await Promise.all([
      opened.headless({ prompt: 'FAIL' }),
      opened.headless({ prompt: 'FAIL', args: ['--output-format', 'json'] }),
      print(opened, ['FAIL']),
      print(opened, ['FAIL', '-o', 'json']),
      print(opened, ['FAIL', '-o', 'stream-json']),
      print(opened, ['RUN echo hi', '--max-turns', '1', '-o', 'json']),
      print(opened, ['SAY hi', '--', '--no-such-flag']),
    ]);
    expect([theirs.code, theirs.stdout]).toEqual([1, `${message}\n`]);
    expect([theirJson.code, JSON.parse(theirJson.stdout)]).toMatchObject([
      1,
      { is_error: true, result: message },
    ]);
    expect(text).toEqual({ code: 1, stdout: '', stderr: `error: ${message}\n` });
    expect(json).toEqual({ code: 1, stdout: `${JSON.stringify(object)}\n`, stderr: '' });
    expect(streamed.code).toBe(1);
    expect(streamed.stdout.trimEnd().split('\n').at(-1)).toBe(JSON.stringify(object));
    expect([turns.code, JSON.parse(turns.stdout).subtype]).toEqual([1, 'error_max_turns']);
    expect([wrong.code, wrong.stdout]).toEqual([2, '']);
    expect(wrong.stderr).toContain("(exit code 1): error: unknown option '--no-such-flag'");
    await awaitNothingLeft(opened);
  });

  test('eight runs at once in one folder: each gets its own answer', async () => {
    const opened = await world({ version });
    const runs = Array.from({ length: 8 }, (_, n) =>
      startPrint(opened, [`SLEEP ${(n % 3) * 200} SAY answer-${n}`, '-o', n % 2 ? 'json' : 'stream-json']),
    );
    const ended = await Promise.all(runs.map(run => run.ended));
    const ids = ended.map(({ code, stdout, stderr }, n) => {
      expect([code, stderr]).toEqual([0, '']);
      for (let other = 0; other < 8; other++)
        expect([n, other, stdout.includes(`answer-${other}`)]).toEqual([n, other, n === other]);
      return /"session_?[iI]d":"([^"]+)"/.exec(stdout)?.[1];
    });
    expect(new Set(ids).size).toBe(8);
    await awaitNothingLeft(opened);
  });

  test('background subagents and shells: the last answer counts, and no shell stays', async () => {
    const opened = await world({ version });
    const agent = await print(opened, [
      'AGENT SLEEP 600 SAY inner',
      '-o',
      'json',
      '--permission-mode',
      'default',
    ]);
    expect([agent.code, JSON.parse(agent.stdout).result]).toEqual([0, 'done']);
    expect(
      opened.model.requests.filter(({ step }) => step.sleep === 600).map(({ outcome }) => outcome),
    ).toEqual(['answered']);
    expect(await print(opened, ['BG sleep 40', '--allowedTools', 'Bash'])).toMatchObject({
      code: 0,
      stdout: 'done\n',
    });
    await awaitNothingLeft(opened);
  });
});

/** What the model said, in order, from the lines of `-p` or of a transcript. */
const messagesOf = (lines: string): string[] =>
  lines
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line) as { type: string; message: { content: Part[] } })
    .filter(({ type }) => type === 'assistant')
    .flatMap(({ message }) => message.content)
    .map(({ type, name, text }) => `${type} ${name ?? text}`);

interface Part {
  type: string;
  name?: string;
  text?: string;
}

test('on a terminal a line shows the elapsed time, and disappears with the answer', async () => {
  const opened = await world({ version: newest });
  const allowed = ['--allowedTools', 'Bash(sleep:*)'];
  const program = [process.execPath, MAIN, 'print', ...allowed, 'RUN sleep 4'];
  const shell = ['sh', '-c', '"$@"; exec cat', 'sh', ...program];
  await opened.tmux(['new-session', '-d', '-s', 'person', '-c', opened.dir(), ...shell]);
  const screen = () => opened.tmux(['capture-pane', '-p', '-t', 'person']);
  const seen = async (words: RegExp) => (words.test(await screen()) ? true : undefined);
  await until(
    15_000,
    () => 'no progress',
    () => seen(/^working … \d+ s, Bash$/m),
  ).catch(async error => {
    throw new Error(`${String(error)}: ${await screen()}`);
  });
  await until(
    15_000,
    () => 'no answer',
    () => seen(/^done$/m),
  );
  expect(await screen()).not.toContain('working');
});
