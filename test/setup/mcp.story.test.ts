/** Sessions that use Drover: the MCP server, registered by setup or by the plugin, and what it refuses. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { Progress } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, onTestFinished, test } from 'vitest';
import { shortId } from '../../src/contract/short-id.ts';
import type { AuditPage } from '../../src/contract/audit.ts';
import { edges, newest } from '../rig/cli.ts';
import { MAIN } from '../rig/drover.ts';
import { hubOf } from '../rig/hub.ts';
import { installPlugin } from '../rig/plugin.ts';
import { world } from '../rig/story.ts';
import type { Seat } from '../rig/tmux.ts';
import { until } from '../rig/within.ts';
import type { World } from '../rig/world.ts';

const servers = async ({ home }: World) =>
  (JSON.parse(await readFile(join(home, '.claude.json'), 'utf8')) as { mcpServers?: object }).mcpServers ??
  {};

/** The tools of Drover that were offered to the model last. 2.1.325 names them in a text and sends their schemas when asked. */
const offered = ({ model }: World): string[] => {
  const body = JSON.stringify(model.requests.findLast(({ turn }) => turn)?.body ?? {});
  return [...new Set(body.match(/mcp__\w*drover\w*__[a-z_]+/g))];
};

/** Sends prompts until the model is offered the tools: Claude Code starts MCP servers beside the first turns. */
const withTools = async (opened: World, seat: Seat): Promise<void> => {
  for (let turn = 1; turn <= 20; turn++) {
    await seat.type(`SAY turn-${turn}`);
    await seat.sees(`● turn-${turn}`, 30_000);
    await seat.file(({ status }) => status === 'idle');
    if (offered(opened).length > 0) return;
  }
  throw new Error('The model was never offered the tools of Drover.');
};

/** The MCP server outside of any session, with the client of the SDK. */
const outside = async (opened: World): Promise<Client> => {
  const client = new Client({ name: 'story', version: '1' });
  onTestFinished(() => client.close());
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [MAIN, 'mcp'],
      env: opened.env(),
      cwd: opened.home,
    }),
  );
  await client.listTools();
  return client;
};

describe.each(edges)('Claude Code %s', version => {
  test('a session asks which sessions wait, messages another one and reports its answer, and never reaches itself', async () => {
    const opened = await world({ version });
    const { drover, model } = opened;
    expect((await drover('setup')).code).toBe(0);
    const hub = await hubOf(opened);
    const setup = await drover('setup', '--mcp', '--drive');
    expect(setup.stderr).toBe('');
    expect(setup.stdout).toContain('Its token may read, drive.');
    expect(Object.keys(await servers(opened))).toEqual(['drover']);

    // First, so that the tmux server has the environment of a person.
    const seat = await opened.claude({ settings: { permissions: { allow: ['mcp__drover'] } } });
    await seat.ready();

    // A program outside of any session starts one and drives it.
    const client = await outside(opened);
    const heard: Progress[] = [];
    const use = async (name: string, input: object): Promise<Record<string, unknown>> => {
      const options = { onprogress: (progress: Progress) => void heard.push(progress), timeout: 120_000 };
      const { structuredContent, isError, content } = await client.callTool(
        { name, arguments: { ...input } },
        undefined,
        options,
      );
      expect([name, isError ?? false, isError ? content : '']).toEqual([name, false, '']);
      return structuredContent as Record<string, unknown>;
    };
    const started = (await use('start_session', { cwd: opened.dir(), name: 'helper' })) as {
      session: { id: string };
    };
    const { id } = started.session;
    expect(await use('send_message', { session: id, text: 'SAY the first answer' })).toMatchObject({
      status: 'answered',
      answer: 'the first answer',
    });
    expect(heard.length).toBeGreaterThan(0);
    expect(await use('read_session', { session: id })).toMatchObject({ lastAnswer: 'the first answer' });
    expect(JSON.stringify(await use('read_screen', { session: id }))).toContain('the first answer');

    // A session of the user does the same from inside.
    await withTools(opened, seat);
    const says = async (script: string, words: RegExp): Promise<void> => {
      const before = model.requests.length;
      await seat.type(script);
      await until(
        60_000,
        () =>
          `the session did not say ${words}: ${JSON.stringify(model.requests.slice(before).map(r => r.step))}`,
        () =>
          model.requests
            .slice(before)
            .some(({ step: { reply } }) => reply.kind === 'text' && words.test(reply.text)) || undefined,
      );
      await seat.file(({ status }) => status === 'idle');
      await seat.ready();
    };
    const { sessionId: own } = await seat.file(({ status }) => status === 'idle');
    const call = (tool: string, input: object) => `QUOTE TOOL mcp__drover__${tool} ${JSON.stringify(input)}`;
    await says(call('read_queue', {}), new RegExp(id));
    const send = (session: string) => call('send_message', { session, text: 'SAY hello from the helper' });
    await says(send(shortId(id)), /"answer":"hello from the helper"/);
    await seat.sees('hello from the helper');

    const never = /the session that you run in/;
    await says(send(own), never);
    await says(call('interrupt_session', { session: shortId(own) }), never);
    await seat.type('/clear');
    const { sessionId: next } = await seat.file(({ sessionId }) => sessionId !== own, 30_000);
    await hub.is(next, ({ state }) => state === 'ready' || state === 'waiting', 20_000);
    await seat.ready();
    await says(send(next), never);
    await says(send(own), never);
    const { body: audit } = await hub.ask<AuditPage>('GET', `/audit?session=${id}`);
    expect(audit.entries.map(({ action, caller }) => [action, caller.name, caller.session])).toEqual(
      expect.arrayContaining([
        ['message', 'drover-mcp', null],
        ['message', 'drover-mcp', own],
      ]),
    );

    expect(await use('stop_session', { session: id })).toMatchObject({ session: { state: 'ended' } });
    expect(await use('resume_session', { session: id })).toMatchObject({ id });
    await hub.is(id, ({ state }) => state !== 'ended', 30_000);

    // The daemon is started again in the middle, on another port: both waits continue.
    const late = use('send_message', { session: id, text: 'SLEEP 3000 SAY the late answer' });
    await hub.is(id, ({ state }) => state === 'working', 20_000);
    const change = use('wait_for_change', { sessions: [id] });
    expect((await drover('down', '--keep')).code).toBe(0);
    expect((await drover('up', '--port', '0')).code).toBe(0);
    expect(await late).toMatchObject({ status: 'answered', answer: 'the late answer' });
    expect(await change).toMatchObject({ changed: [{ id, state: 'waiting' }] });

    expect((await drover('setup', '--mcp', '--remove')).stdout).toContain('Removed its token.');
    expect(await servers(opened)).toEqual({});
    expect((await drover('token', 'ls')).stdout).toBe('No named tokens\n');
  }, 240_000);

  test('the plugin brings the same tools, a skill and commands; together with setup they are there once', async () => {
    const opened = await world({ version });
    const { drover, headless, model } = opened;
    await installPlugin(opened);
    expect((await drover('up')).code).toBe(0);
    onTestFinished(async () => void (await drover('down')));
    const setup = await drover('setup', '--mcp');
    expect(setup.stdout).toContain('The plugin drover@drover has registered the MCP server.');
    expect(await servers(opened)).toEqual({});

    const tool = 'mcp__plugin_drover_drover__list_sessions';
    // A run without a terminal does not wait long for MCP servers, so on a busy machine the first may have none.
    const listed = await until(
      60_000,
      () => 'no run was offered the tools of the plugin',
      async () => {
        const ran = await headless({ prompt: `QUOTE TOOL ${tool} {}`, args: ['--allowedTools', tool] });
        return offered(opened).length > 0 ? ran : undefined;
      },
    );
    expect(listed.stdout).toContain('"isOwn":true');
    const names = offered(opened);
    expect(names).toContain('mcp__plugin_drover_drover__read_queue');
    expect(names.filter(name => !name.startsWith('mcp__plugin_drover_drover__'))).toEqual([]);
    expect(names.filter(name => name.endsWith('send_message'))).toEqual([]);
    expect(JSON.stringify(model.requests.map(({ body }) => body))).toContain('other-sessions');

    for (const [command, words] of [
      ['queue', 'Call the tool `read_queue`'],
      ['send helper hello', 'helper hello'],
      ['changes', 'what a Claude Code session has changed'],
    ] as const) {
      await headless({ prompt: `/drover:${command}` });
      expect(JSON.stringify(model.requests.at(-1)?.body.messages)).toContain(words);
    }

    // Registered by setup too, as by someone who installs the plugin later.
    expect((await opened.run('claude', ['plugin', 'disable', 'drover@drover'])).code).toBe(0);
    expect((await drover('setup', '--mcp')).stdout).toContain('Registered the MCP server');
    expect((await opened.run('claude', ['plugin', 'enable', 'drover@drover'])).code).toBe(0);
    await until(
      60_000,
      () => 'no run was offered the tools that setup registered',
      async () => {
        await headless({ prompt: 'SAY hi' });
        return offered(opened).length > 0 || undefined;
      },
    );
    expect(offered(opened)).toContain('mcp__drover__list_sessions');
    expect(offered(opened).filter(name => !name.startsWith('mcp__drover__'))).toEqual([]);
    expect((await drover('uninstall', '--yes')).stdout).toContain('Removed the MCP server from Claude Code.');
    expect(await servers(opened)).toEqual({});
    expect(existsSync(join(opened.droverHome, 'mcp.sh'))).toBe(false);
  }, 180_000);
});

test('a message that is too long ends the server, which would be deaf after it', async () => {
  const opened = await world({ version: newest });
  const server = spawn(process.execPath, [MAIN, 'mcp'], { cwd: opened.home, env: opened.env() });
  onTestFinished(() => void server.kill('SIGKILL'));
  let printed = '';
  for (const stream of [server.stdout, server.stderr])
    stream.on('data', (chunk: Buffer) => (printed += String(chunk)));
  const exited = once(server, 'exit');
  server.stdin.on('error', () => {});
  server.stdin.write(Buffer.alloc(12_000_000, 'x'));
  await exited;
  expect(printed).toMatch(/maximum size/);
}, 30_000);
