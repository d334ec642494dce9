import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { Notice } from '../contract/notice.ts';
import { deliver } from './deliver.ts';

const notice: Notice = { at: 1, title: '--help waits for you', text: 'shop: a <b> & c', sessions: [] };
const off = { after: 1, cooldown: 0, bell: false, desktop: false };
const silent = async () => {};

/** A folder with programs of the given names, each of which writes its arguments and its input into a file. */
const programs = (...names: string[]) => {
  const dir = mkdtempSync(join(tmpdir(), 'dn-'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  for (const name of names) {
    writeFileSync(
      join(dir, name),
      `#!/bin/sh\nfor word; do echo "$word"; done > '${dir}/args'\ncat > '${dir}/input'\n`,
    );
    chmodSync(join(dir, name), 0o755);
  }
  return { dir, read: (name: string) => readFileSync(join(dir, name), 'utf8') };
};

/** A server that answers with a status and keeps what it was sent. */
const server = async (status: number) => {
  const bodies: string[] = [];
  const http = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', chunk => chunks.push(chunk as Buffer));
    request.on('end', () => {
      bodies.push(Buffer.concat(chunks).toString());
      response.writeHead(status).end();
    });
  });
  await new Promise<void>(done => http.listen(0, '127.0.0.1', done));
  onTestFinished(() => void http.close());
  return { bodies, url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/hook` };
};

test('a command gets the notice on standard input', async () => {
  const { dir, read } = programs('tell');
  expect(await deliver(notice, { ...off, command: [join(dir, 'tell'), '-x', 'two words'] }, silent)).toEqual(
    [],
  );
  expect(read('args')).toBe('-x\ntwo words\n');
  expect(JSON.parse(read('input'))).toEqual(notice);
});

test.runIf(process.platform === 'linux')(
  'a desktop gets the title as one argument and the text without markup',
  async () => {
    const { dir, read } = programs('notify-send');
    vi.stubEnv('PATH', `${dir}:${process.env.PATH}`);
    onTestFinished(() => void vi.unstubAllEnvs());
    expect(await deliver(notice, { ...off, desktop: true }, silent)).toEqual([]);
    expect(read('args')).toBe('--app-name=drover\n--\n--help waits for you\nshop: a &lt;b&gt; &amp; c\n');
  },
);

test('a webhook on loopback gets the notice, and failures name their channel', async () => {
  const good = await server(204);
  expect(await deliver(notice, { ...off, webhook: good.url }, silent)).toEqual([]);
  expect(JSON.parse(good.bodies[0] as string)).toEqual(notice);
  const bad = await server(500);
  const everything = { ...off, bell: true, command: ['/nowhere/tell'], webhook: bad.url };
  expect(await deliver(notice, everything, () => Promise.reject(new Error('no terminal')))).toEqual([
    'bell: no terminal',
    'command: spawn /nowhere/tell ENOENT',
    'webhook: HTTP status 500',
  ]);
  expect(await deliver(notice, { ...off, command: ['sh', '-c', 'echo no >&2; exit 3'] }, silent)).toEqual([
    'command: sh exited with 3: no',
  ]);
});
