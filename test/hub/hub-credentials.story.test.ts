/** Sessions that the daemon starts have the credentials of the shell that ran `drover up`, and nobody else sees them. */
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pauseFor } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { shortId } from '../../src/contract/short-id.ts';
import type { Receipt } from '../../src/contract/hub.ts';
import type { Session } from '../../src/contract/session.ts';
import { edges } from '../rig/cli.ts';
import { MAIN } from '../rig/drover.ts';
import { world } from '../rig/story.ts';

describe.each(edges)('Claude Code %s', version => {
  test('key and address of the model are only in the shell of `drover up`: a session created by its id alone answers', async () => {
    const opened = await world({ version });
    const { ANTHROPIC_API_KEY: key = '', ANTHROPIC_BASE_URL: url = '' } = opened.env();
    const config = { projectDir: opened.dir(), env: { pass: ['MY_GATEWAY'] } };
    writeFileSync(join(opened.droverHome, 'config.json'), JSON.stringify(config));
    const up = await opened.run(process.execPath, [MAIN, 'up', '--json'], {
      env: { MY_GATEWAY: 'gateway-secret', SHELL_ONLY: 'shell-secret' },
    });
    const { url: hub } = JSON.parse(up.stdout) as { url: string };
    const token = readFileSync(join(opened.droverHome, 'token'), 'utf8').trim();
    const ask = async <T>(method: string, path: string, body?: object): Promise<T> => {
      const headers = { Authorization: `Bearer ${token}` };
      const sent = body && { body: JSON.stringify(body) };
      const response = await fetch(`${hub}${path}`, { method, headers, ...sent });
      return (await response.json()) as T;
    };
    const commandLines = watchCommandLines();
    const id = randomUUID();
    const session = await ask<Session>('POST', '/sessions?wait=ready', { session_id: id });
    expect(session).toMatchObject({ id, dir: opened.dir(), state: 'ready' });
    const receipt = await ask<Receipt>('POST', `/sessions/${id}/message`, {
      text: 'SAY hello',
      wait: 'answered',
    });
    expect(receipt).toMatchObject({ status: 'answered', answer: 'hello' });
    const lines = await commandLines.stop();
    expect(lines).toContain(id);
    const environment = readFileSync(join('/proc', String(session.pid), 'environ'), 'utf8').split('\0');
    expect(environment).toContain('MY_GATEWAY=gateway-secret');
    expect(environment).not.toContain('SHELL_ONLY=shell-secret');

    const tmuxKnows = await Promise.all([
      opened.tmux(['show-environment', '-g']),
      opened.tmux(['show-environment', '-t', `=claude-${shortId(id)}:`]),
    ]);
    const shown = [lines, ...tmuxKnows, JSON.stringify(await ask('GET', '/log?last=500'))].join('\n');
    const stored = Object.entries(filesIn(opened.droverHome));
    for (const secret of [key, url]) {
      expect(shown).not.toContain(secret);
      expect(stored.filter(([, text]) => text.includes(secret)).map(([file]) => file)).toEqual([]);
    }
    expect(readFileSync(join(opened.droverHome, 'log', 'daemon.log'), 'utf8')).toContain('ANTHROPIC_API_KEY');
  });
});

/** Collects the command lines of all processes until it is stopped. */
const watchCommandLines = () => {
  const seen = new Set<string>();
  let isOn = true;
  const watching = (async () => {
    for (; isOn; await pauseFor(20))
      for (const pid of readdirSync('/proc').filter(name => /^\d+$/.test(name))) seen.add(commandLine(pid));
  })();
  const stop = async () => {
    isOn = false;
    await watching;
    return [...seen].join('\n');
  };
  return { stop };
};

const commandLine = (pid: string): string => {
  try {
    return readFileSync(join('/proc', pid, 'cmdline'), 'utf8').replaceAll('\0', ' ');
  } catch {
    return '';
  }
};

/** Every file of a folder as text. */
const filesIn = (folder: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).flatMap(name => {
      const file = join(folder, name);
      return statSync(file).isFile() ? [[name, readFileSync(file, 'latin1')]] : [];
    }),
  );
