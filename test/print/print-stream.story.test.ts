/** A transcript that is late or lost: no run succeeds without its answer. */
import { describe, expect, test } from 'vitest';
import { edges } from '../rig/cli.ts';
import { leftBehind, startPrint } from '../rig/print.ts';
import { world } from '../rig/story.ts';

/** A hook of the user's: what it does with the transcript at `$path`, before the model has said a word. */
const onPrompt = (script: string) => {
  const command = `path=$(sed 's/.*"transcript_path":"\\([^"]*\\)".*/\\1/'); mkdir -p "\${path%/*}"; ${script}`;
  return { hooks: { UserPromptSubmit: [{ hooks: [{ type: 'command', command }] }] } };
};

const away = '[ -e "$path" ] && mv "$path" "$path.kept"; ln -s /dev/null "$path"';

describe.each(edges)('Claude Code %s', version => {
  test('a missing last line is rebuilt from the Stop hook, and marked as such', async () => {
    const opened = await world({ version, settings: onPrompt(away) });
    const [streamed, json, text] = await Promise.all([
      startPrint(opened, ['SAY lost-1', '-o', 'stream-json']).ended,
      startPrint(opened, ['SAY lost-2', '-o', 'json']).ended,
      startPrint(opened, ['SAY lost-3']).ended,
    ]);
    const last = JSON.parse(streamed.stdout.trimEnd().split('\n').at(-1) ?? '');
    expect(last).toMatchObject({ type: 'assistant', madeBy: 'drover', sessionId: expect.any(String) });
    expect(last.message.content).toEqual([{ type: 'text', text: 'lost-1' }]);
    expect(JSON.parse(json.stdout)).toMatchObject({ result: 'lost-2', num_turns: 0 });
    expect(text.stdout).toBe('lost-3\n');
    for (const { code, stderr } of [streamed, json, text])
      expect([code, stderr]).toEqual([0, expect.stringContaining('the transcript lacks the last message')]);
    expect(leftBehind(opened)).toEqual([]);
  });

  test('the CLI is not stopped before its last line is written', async () => {
    const line = JSON.stringify({
      type: 'assistant',
      message: { content: [{ type: 'text', text: 'late' }] },
    });
    const opened = await world({ version });
    // A second after the prompt, when the turn is long over, the line is there.
    const back = `echo '${line}' >>"$path.kept"; mv -f "$path.kept" "$path"`;
    const settings = onPrompt(`${away}; { sleep 1; ${back}; } >/dev/null 2>&1 &`);
    const run = startPrint(opened, [
      'SAY late',
      '-o',
      'stream-json',
      '--',
      '--settings',
      JSON.stringify(settings),
    ]);
    const { code, stdout, stderr } = await run.ended;
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout.split('\n')).toContain(line);
    expect(stdout).not.toContain('madeBy":"drover');
  });
});
