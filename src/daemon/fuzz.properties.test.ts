/** Whatever payloads, files, settings and config contain: nothing throws, and the home opens again. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { sessionFilePid } from '../claude/session-file.ts';
import {
  answerOf,
  contextTail,
  countedAt,
  promptOf,
  titleOf,
  transcriptLines,
  turnTail,
  turnText,
} from '../claude/transcript.ts';
import { DroverError } from '../contract/error.ts';
import { Session } from '../contract/session.ts';
import { hasApprovers } from '../hook/install/approvers.ts';
import { describeDoubleRegistrations, enabledPlugins, registered } from '../hook/install/registered.ts';
import { findDisabled } from '../hook/install/disabled-hooks.ts';
import { draftOf } from '../hook/payload.ts';
import { contextOf } from '../hook/spool.ts';
import { processStart } from '../platform/processes.ts';
import { shown } from '../session/memory.ts';
import { emit } from '../testing/emit.ts';
import { tempHome } from '../testing/home.ts';
import { openPipeline, type Pipeline } from '../testing/pipeline.ts';
import { systemClock } from '../clock.ts';
import { SessionFiles } from '../watch/session-files.ts';
import { readConfig } from './config.ts';

const runs = { numRuns: 40 };
const number = fc.constantFrom(0, -1, 1.8e18, -1.8e18, 1e308, Number.MAX_SAFE_INTEGER, 2 ** 63, 0.1, 1e-7);
const words = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('9'.repeat(400), '-1', '/t/s,77,0', '%3'),
);
const junk = fc.oneof(fc.jsonValue(), number, fc.string({ unit: 'binary' }), fc.constant('x'.repeat(5_000)));

/** An object with fields that some code reads, with any values. */
const fieldsOf = (...names: string[]) =>
  fc.record(Object.fromEntries(names.map(name => [name, junk])), { requiredKeys: [] });

/** The home opens again, with the same sessions, and each of them can be shown. */
const opensAgain = async ({ paths, loop, errors, close }: Pipeline) => {
  expect(
    errors.filter(error => error.includes('could not be folded') || error.includes('failed on event')),
  ).toEqual([]);
  const before = loop.sessionIndex.all();
  for (const session of before)
    expect(Session.safeParse(JSON.parse(JSON.stringify(shown(session)))).error).toBeUndefined();
  await close();
  const again = await openPipeline(paths);
  expect(again.loop.sessionIndex.all()).toHaveLength(before.length);
  expect(again.errors).toEqual([]);
  await again.close();
};

const payload = fieldsOf(
  'session_id',
  'hook_event_name',
  'cwd',
  'transcript_path',
  'model',
  'tool_name',
  'tool_input',
  'agent_id',
  'source',
  'reason',
  'message',
  'last_assistant_message',
  'background_tasks',
  'notification_type',
  'error',
);
const hookNames = [
  'SessionStart',
  'UserPromptSubmit',
  'PermissionRequest',
  'PreToolUse',
  'PostToolUse',
  'Stop',
  'SessionEnd',
];

test('payloads', async () => {
  const event = fc.record({
    name: fc.constantFrom(...hookNames),
    fields: payload,
    at: fc.oneof(number, fc.double()),
    context: fc
      .record({
        tmux: words,
        pane: words,
        claudePid: words,
        parentPid: words,
        host: words,
        via: words,
        projectDir: words,
      })
      .map(contextOf),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(event, { maxLength: 20 }), async events => {
      const pipeline = await openPipeline();
      const drafts = events.flatMap(({ name, fields, at, context }) => {
        const body = { session_id: 's1', hook_event_name: name, ...fields };
        return (
          draftOf({ payload: Buffer.from(JSON.stringify(body)), at, context, hook: name, sessionId: 's1' }) ??
          []
        );
      });
      for (const draft of drafts) await pipeline.loop.append([{ draft }]);
      await opensAgain(pipeline);
    }),
    runs,
  );
});

test('spool files', async () => {
  const head = fc.array(fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom(...hookNames)), {
    minLength: 8,
    maxLength: 14,
  });
  const file = fc.oneof(
    fc.uint8Array({ maxLength: 300 }).map(bytes => Buffer.from(bytes)),
    fc
      .tuple(
        head,
        fc.oneof(
          payload.map(value => JSON.stringify(value)),
          fc.string(),
        ),
        fc.boolean(),
      )
      .map(([fields, body, sealed]) =>
        Buffer.from(`drover1\0${fields.join('\0')}\0\n${body}${sealed ? '\0end\n' : ''}`),
      ),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(file, { maxLength: 10 }), async files => {
      const pipeline = await openPipeline();
      files.forEach((bytes, n) => writeFileSync(join(pipeline.paths.spool, `${n}.${n}`), bytes));
      await pipeline.receive.scan();
      await emit(pipeline.paths, 'Stop', '{"hook_event_name":"Stop","session_id":"good"}');
      await pipeline.receive.scan();
      expect(pipeline.loop.sessionIndex.get('good')).toBeDefined();
      await opensAgain(pipeline);
    }),
    { numRuns: 25 },
  );
});

test('session files', async () => {
  const fields = fieldsOf(
    'sessionId',
    'cwd',
    'startedAt',
    'version',
    'kind',
    'entrypoint',
    'name',
    'status',
    'waitingFor',
    'statusUpdatedAt',
    'tmux',
  );
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.tuple(fields, fc.constantFrom('idle', 'busy', 'waiting', 'shell')).map(([value, status]) =>
      JSON.stringify({
        sessionId: 's',
        status,
        ...value,
        pid: process.pid,
        procStart: processStart(process.pid),
      }),
    ),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(text, { maxLength: 10 }), async texts => {
      const pipeline = await openPipeline();
      const folder = join(pipeline.paths.home, 'claude', 'sessions');
      mkdirSync(folder, { recursive: true });
      const files = new SessionFiles(
        () => [join(pipeline.paths.home, 'claude')],
        drafts => pipeline.loop.record(drafts),
        systemClock,
        (message, error) => pipeline.errors.push(`${message} ${String(error)}`),
      );
      for (const one of texts) {
        writeFileSync(join(folder, `${process.pid}.json`), one);
        files.scan();
        pipeline.loop.flush();
      }
      rmSync(join(folder, `${process.pid}.json`), { force: true });
      files.scan();
      files.close();
      pipeline.loop.flush();
      expect(pipeline.loop.pending).toBe(0);
      await opensAgain(pipeline);
    }),
    runs,
  );
  fc.assert(fc.property(fc.string(), name => sessionFilePid(name) === null || /^\d+\.json$/.test(name)));
});

test('transcripts', () => {
  const message = fc.oneof(junk, fieldsOf('id', 'role', 'model', 'content', 'stop_reason', 'usage'));
  const line = fc.oneof(
    fc.string(),
    fc
      .tuple(
        fieldsOf(
          'timestamp',
          'isSidechain',
          'isMeta',
          'aiTitle',
          'customTitle',
          'summary',
          'subtype',
          'attachment',
          'content',
        ),
        fc.constantFrom('user', 'assistant', 'system', 'summary'),
        message,
      )
      .map(([fields, type, said]) =>
        JSON.stringify({ timestamp: '2026-01-01T00:00:00Z', ...fields, type, message: said }),
      ),
  );
  fc.assert(
    fc.property(fc.array(line), fc.boolean(), (texts, fromStart) => {
      const lines = transcriptLines(`${texts.join('\n')}\n`, fromStart);
      turnTail(lines);
      contextTail(lines);
      countedAt(lines);
      turnText(lines, 0);
      expect(['string', 'object']).toContain(typeof titleOf(lines));
      for (const one of lines)
        for (const text of [promptOf(one), answerOf(one)])
          expect(text === null || typeof text === 'string').toBe(true);
    }),
    { numRuns: 300 },
  );
});

test('settings', () => {
  const paths = tempHome();
  const env = { HOME: paths.home };
  const file = join(paths.home, '.claude', 'settings.json');
  mkdirSync(join(paths.home, '.claude', 'plugins'), { recursive: true });
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fieldsOf('hooks', 'enabledPlugins', 'disableAllHooks', 'plugins').map(value => JSON.stringify(value)),
    fc
      .record({ hooks: fc.dictionary(fc.constantFrom(...hookNames), fc.array(fieldsOf('matcher', 'hooks'))) })
      .map(value => JSON.stringify(value)),
    fc
      .record({ hooks: fc.record({ PermissionRequest: fc.array(fc.record({ hooks: fc.array(junk) })) }) })
      .map(value => JSON.stringify(value)),
  );
  fc.assert(
    fc.property(text, given => {
      for (const place of [file, join(paths.home, '.claude', 'plugins', 'installed_plugins.json')])
        writeFileSync(place, given);
      for (const found of [
        registered(env, paths.home),
        enabledPlugins(env, paths.home),
        describeDoubleRegistrations(env, paths.home),
        findDisabled(env, paths.home, join(paths.home, 'policy')),
      ])
        expect(found).toBeInstanceOf(Array);
      expect(typeof hasApprovers(env, paths.home)).toBe('boolean');
    }),
    { numRuns: 300 },
  );
});

test('config: it is used, or refused with a reason', () => {
  const { config } = tempHome();
  const fields = fieldsOf(
    'port',
    'allowHosts',
    'claude',
    'claudeDirs',
    'retention',
    'stalls',
    'redact',
    'drive',
    'order',
    'hold',
    'warm',
    'notify',
    'tmux',
    'agents',
    'autostart',
  );
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    junk.map(value => JSON.stringify(value)),
    fields.map(value => JSON.stringify(value)),
  );
  fc.assert(
    fc.property(text, given => {
      writeFileSync(config, given);
      try {
        expect(readConfig(config).retention.sessionBytes).toBeGreaterThan(0);
      } catch (error) {
        expect(error).toBeInstanceOf(DroverError);
        expect((error as DroverError).code).toBe('bad_config');
      }
    }),
    { numRuns: 300 },
  );
});
