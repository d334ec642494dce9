import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { limits } from '../limits.ts';
import type { Paths } from '../paths.ts';
import { emit } from '../testing/emit.ts';
import { tempHome } from '../testing/home.ts';
import { openPipeline } from '../testing/pipeline.ts';

const head = `${['drover1', 'Stop', '', '', '', '', '', 'env-owner', '', '', '', '', '', ''].join('\0')}\n`;
const seal = '\0end\n';

const put = (paths: Paths, name: string, bytes: string | Buffer, at?: number): void => {
  const file = join(paths.spool, name);
  writeFileSync(file, bytes);
  if (at !== undefined) utimesSync(file, at / 1000, at / 1000);
};

const whole = (fields: object): string => `${head}${JSON.stringify(fields)}\n${seal}`;

test('what was spooled while the daemon was away is taken in, in order of its file times', async () => {
  const paths = tempHome();
  const now = Date.now();
  for (let n = 0; n < 50; n++)
    put(
      paths,
      `${1000 - n}.x`,
      whole({ session_id: 's', hook_event_name: 'Stop', n }),
      now - 10_000 + n * 20,
    );
  const { receive, events } = await openPipeline(paths);
  await receive.start();
  expect(events().map(event => (JSON.parse(Buffer.from(event.raw).toString()) as { n: number }).n)).toEqual([
    ...Array(50).keys(),
  ]);
  expect(Math.abs((events()[0]?.at ?? 0) - (now - 10_000))).toBeLessThanOrEqual(1);
  expect(readdirSync(paths.spool)).toEqual([]);
});

test('a hook that fires is in the log without anyone asking', async () => {
  const { paths, receive, has, events } = await openPipeline();
  await receive.start();
  await emit(paths, 'Stop', '{"session_id":"live","hook_event_name":"Stop"}\n', {
    TMUX: '/s,1,0',
    TMUX_PANE: '%1',
  });
  await has(1);
  expect(events()[0]).toMatchObject({
    sessionId: 'live',
    name: 'Stop',
    source: 'hook',
    context: { pane: '%1' },
  });
});

test('a half-written file is left alone until it is whole', async () => {
  const { paths, receive, has, events } = await openPipeline();
  await receive.start();
  put(paths, '1.a', `${head}{"session_id":"s","hook_event_name":"St`);
  await receive.scan();
  expect(events()).toEqual([]);
  put(paths, '1.a', whole({ session_id: 's', hook_event_name: 'Stop' }));
  await has(1);
});

test('a payload that parses is whole even without its end mark', async () => {
  const { paths, receive, has, events } = await openPipeline();
  put(paths, '1.a', `${head}{"session_id":"s","hook_event_name":"Stop"}`);
  await receive.start();
  await has(1);
  expect(events()).toMatchObject([{ sessionId: 's', name: 'Stop' }]);
});

test('an event with empty stdin belongs to the session of its environment', async () => {
  const { paths, receive, has, events } = await openPipeline();
  put(paths, '1.a', head + seal);
  await receive.start();
  await has(1);
  expect(events()[0]).toMatchObject({ sessionId: 'env-owner', name: 'Stop' });
});

test('a file that is being written is not torn when the clock is set forward', async () => {
  let [ahead, uptime] = [0, 0];
  const clock = { now: () => Date.now() + ahead, uptime: () => uptime };
  const { paths, receive, has, aside } = await openPipeline(undefined, clock);
  const text = whole({ session_id: 's', hook_event_name: 'Stop' });
  put(paths, '1.a', text.slice(0, -20));
  put(paths, '1.dead', text.slice(0, -20));
  ahead = 3_600_000;
  await receive.scan();
  put(paths, '1.a', text);
  await receive.scan();
  await has(1);
  expect(aside.count).toBe(0);
  // The other one has now not grown for long enough.
  uptime = limits.spool.tornAfter + 1;
  await receive.scan();
  expect(aside.count).toBe(1);
});

test('bad input is moved aside with its reason, and usable events are kept', async () => {
  const { paths, receive, events, aside } = await openPipeline();
  const old = Date.now() - limits.spool.tornAfter - 1_000;
  put(paths, 'not-json', `${head}hello${seal}`);
  put(paths, 'array', `${head}[1]${seal}`);
  put(paths, 'nul', `${head}{"a":"\0"}${seal}`);
  put(paths, 'torn', `${head}{"session_id":`, old);
  put(paths, 'foreign', 'something else', old);
  put(paths, 'empty', '', old);
  put(paths, 'large', Buffer.alloc(limits.http.eventBytes + 1, 0x20));
  symlinkSync('/etc/passwd', join(paths.spool, 'link'));
  mkdirSync(join(paths.spool, 'folder'));
  execFileSync('mkfifo', [join(paths.spool, 'fifo')]);
  put(
    paths,
    'bad-utf8',
    Buffer.concat([
      Buffer.from(`${head}{"session_id":"u","x":"`),
      Buffer.from([0xc3, 0x28]),
      Buffer.from(`"}${seal}`),
    ]),
  );
  put(paths, 'no-id', `${head}{"hook_event_name":"Brand New"}${seal}`);
  put(paths, 'big', whole({ session_id: 'b', hook_event_name: 'PostToolUse', pad: 'x'.repeat(20_000_000) }));
  await receive.start();
  expect(
    events()
      .map(event => `${event.sessionId} ${event.name}`)
      .sort(),
  ).toEqual(['b PostToolUse', 'env-owner Brand New', 'u Stop']);
  const names = readdirSync(paths.aside).filter(name => !name.endsWith('.reason'));
  expect(names.sort()).toEqual([
    'array',
    'empty',
    'fifo',
    'folder',
    'foreign',
    'large',
    'link',
    'not-json',
    'nul',
    'torn',
  ]);
  expect(readFileSync(join(paths.aside, 'torn.reason'), 'utf8')).toMatch(/torn/);
  expect(aside.count).toBe(10);
  expect(statSync('/etc/passwd').isFile()).toBe(true);
  expect(readdirSync(paths.spool)).toEqual([]);
});

test('a delivery that was committed but not removed is taken once', async () => {
  const paths = tempHome();
  put(paths, '1.a', whole({ session_id: 's', hook_event_name: 'Stop' }));
  const first = await openPipeline(paths);
  await first.receive.start();
  // The crash: the event is durable, its file still there, and the key was not released.
  await first.close();
  put(paths, '1.a', whole({ session_id: 's', hook_event_name: 'Stop' }));
  const crashed = await openPipeline(paths);
  crashed.store.write(() => crashed.store.log.take('1.a', Date.now()));
  await crashed.receive.start();
  expect(crashed.events()).toHaveLength(1);
  expect(existsSync(join(paths.spool, '1.a'))).toBe(false);
});

test('a name that comes again after its file was removed is a new event', async () => {
  const { paths, receive, has, events } = await openPipeline();
  await receive.start();
  for (let n = 1; n <= 3; n++) {
    put(paths, '7.same', whole({ session_id: 's', hook_event_name: 'Stop', n }));
    await has(n);
    await receive.scan();
  }
  expect(events()).toHaveLength(3);
});

test('a spool that is removed and made again is still followed', async () => {
  const { paths, receive, has, events } = await openPipeline();
  await receive.start();
  rmSync(paths.spool, { recursive: true });
  await emit(paths, 'Stop', '{"session_id":"s","hook_event_name":"Stop"}');
  await has(1);
  expect(events()).toMatchObject([{ sessionId: 's', name: 'Stop' }]);
}, 10_000);

test('an event from another host keeps its host and loses nothing', async () => {
  const { paths, receive, has, events, loop } = await openPipeline();
  const away = `${['drover1', 'Stop', '', '/s,1,0', '%4', '99', '', 'far', '', '', '', 'box-7', '4026999999', ''].join('\0')}\n`;
  put(paths, '1.a', `${away}{"session_id":"far","hook_event_name":"Stop"}${seal}`);
  await receive.start();
  await has(1);
  expect(events()[0]?.context).toMatchObject({ host: 'box-7', ns: '4026999999', pane: '%4' });
  expect(loop.sessionIndex.get('far')).toMatchObject({ host: 'box-7', pane: null, pid: null });
});

test('the daemon removes the flag of a full spool once it is drained', async () => {
  const { paths, receive } = await openPipeline();
  writeFileSync(paths.full, '');
  await receive.start();
  expect(existsSync(paths.full)).toBe(false);
});
