import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { tempHome } from '../../testing/home.ts';
import { verbs } from '../table/verbs.ts';
import type { Call } from '../verb.ts';
import { run } from './config.ts';

/** `drover config` in a home without a daemon. */
const offline = (text: string) => {
  const paths = tempHome();
  writeFileSync(paths.config, text);
  const errors: string[] = [];
  const config = (args: string[], env: Call['env'] = {}) =>
    run({
      verb: verbs.find(({ name }) => name === 'config') as Call['verb'],
      args,
      options: {},
      rest: [],
      env: { HOME: paths.home, PATH: process.env.PATH, ...env },
      paths,
      cwd: '/',
      payload: () => {},
      out: () => {},
      err: error => void errors.push(error),
      tty: false,
    });
  const edit = (editor: string) => config(['edit'], { VISUAL: editor });
  const read = () => readFileSync(paths.config, 'utf8');
  return { paths, errors, config, edit, read };
};

test('a field that others need is not removed', async () => {
  const text = '{"notify": {"ntfy": {"server": "https://ntfy.example", "topic": "t"}}, "order": "fifo"}\n';
  const { config, read } = offline(text);
  await expect(config(['unset', 'notify.ntfy.topic'])).rejects.toThrow('The file was not changed');
  expect(read()).toBe(text);
  expect(await config(['unset', 'order'])).toBe(0);
  expect(JSON.parse(read())).not.toHaveProperty('order');
});

test('an error about a new value names no line, and too many words are refused', async () => {
  const { paths, config, read } = offline('{"order": "fifo"}\n');
  await expect(config(['set', 'port', 'abc'])).rejects.toThrow(
    /^port: Invalid input.*The file was not changed\.$/,
  );
  await expect(config(['set', 'continue.message', 'go', 'on'])).rejects.toMatchObject({
    message: 'drover config set: unexpected argument "on".',
    hint: 'Quote a value with spaces.',
  });
  for (const args of [
    ['get', 'port', 'x'],
    ['check', 'x'],
    ['schema', 'x'],
  ])
    await expect(config(args)).rejects.toThrow('unexpected argument "x"');
  expect(read()).toBe('{"order": "fifo"}\n');
  // A field that was wrong before is named with its line.
  writeFileSync(paths.config, '{\n  "order": "lifo"\n}\n');
  await expect(config(['set', 'port', '1'])).rejects.toThrow('config.json: line 2: order: ');
});

test('removing a wrong field makes an invalid file valid', async () => {
  const { config, read } = offline('{"order": "lifo", "drive": "none"}\n');
  expect(await config(['unset', 'order'])).toBe(0);
  expect(JSON.parse(read())).toEqual({ drive: 'none' });
});

test('a name that is not a setting is refused, with the setting that was probably meant', async () => {
  const { config, read } = offline('{}\n');
  await expect(config(['set', 'nope', '1'])).rejects.toMatchObject({
    message: 'nope is not a setting. Nothing was changed.',
    hint: expect.stringContaining('drover config get'),
  });
  await expect(config(['set', 'stalls.queu', 'true'])).rejects.toMatchObject({
    hint: 'Did you mean `stalls.queue`?',
  });
  expect(read()).toBe('{}\n');
  expect(await config(['set', 'prices.some-model', '{"input": 1, "output": 2}'])).toBe(0);
  expect(await config(['set', 'hook_settings.pane_capture_lines', '50'])).toBe(0);
});

test('an edit that was not saved is opened by the next one', async () => {
  const { paths, errors, edit, read } = offline('{"order": "fifo"}\n');
  await expect(edit("sed -i.bak 's/fifo/filo/'")).rejects.toThrow('was not changed');
  expect(read()).toContain('fifo');
  await expect(edit('false')).rejects.toThrow('The editor failed');
  expect(readFileSync(paths.configCopy, 'utf8')).toContain('filo');
  errors.length = 0;
  expect(await edit("sed -i.bak 's/filo/blocked-first/'")).toBe(0);
  expect(errors[0]).toContain('earlier edit');
  expect(read()).toContain('blocked-first');
  expect(existsSync(paths.configCopy)).toBe(false);
});

test('a copy without an edit is not kept, and an emptied one is saved as an empty object', async () => {
  const { paths, errors, edit, read } = offline('{"order": "fifo"}\n');
  await expect(edit('false')).rejects.toThrow('The editor failed');
  expect(existsSync(paths.configCopy)).toBe(false);
  expect(await edit('true')).toBe(0);
  expect(errors).toEqual([]);
  await expect(edit('rm')).rejects.toThrow('The editor removed');
  expect(await edit('cp /dev/null')).toBe(0);
  expect(read()).toBe('{}\n');
  rmSync(paths.config);
  expect(await edit('true')).toBe(0);
  expect(existsSync(paths.config)).toBe(false);
});

test('an agent that is not valid is refused; one that is already in the file blocks no other setting', async () => {
  const { config, read } = offline('{}\n');
  await expect(config(['set', 'agents', '[{"agent_id": 1}]'])).rejects.toThrow(
    /agents\[0\]\.agent_id: .*The file was not changed/,
  );
  expect(read()).toBe('{}\n');
  const wrong = offline('{"agents": [{"agent_id": 1}]}\n');
  expect(await wrong.config(['set', 'order', 'fifo'])).toBe(0);
  expect(JSON.parse(wrong.read())).toMatchObject({ order: 'fifo' });
});

test('without a terminal vi is not started, where it would wait for ever', async () => {
  const { config, paths } = offline('{}\n');
  await expect(config(['edit'])).rejects.toThrow('vi needs a terminal');
  expect(existsSync(paths.configCopy)).toBe(false);
});
