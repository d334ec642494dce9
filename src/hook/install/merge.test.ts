import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { baseVersion, eventsForAll } from '../../claude/hook-events.ts';
import { DroverError } from '../../contract/error.ts';
import { type Handler, handlerFor, isOwnCommand } from './command.ts';
import { merge, unmerge } from './merge.ts';

const env = { HOME: '/home/dev' };
const handlers = (events: string[], at = env): Map<string, Handler> =>
  new Map(events.map(event => [event, handlerFor(event, at)]));
const wanted = handlers(eventsForAll([baseVersion]));
const put = (text: string | null, events = wanted) => merge(text, events, undefined, 'settings.json');

const others = {
  hooks: { Stop: [{ matcher: '', hooks: [{ type: 'command', command: 'notify-send done' }] }] },
};
const pretty = (value: unknown, indent: string | number = 2) => JSON.stringify(value, null, indent);

const shapes: Record<string, string | null> = {
  'no file': null,
  'an empty file': '',
  'a file with a newline and nothing else': '\n',
  'an empty object': '{}',
  'an empty object with a newline inside': '{\n}\n',
  'two spaces': `${pretty({ model: 'opus', permissions: { allow: ['Bash(ls:*)'] } })}\n`,
  'no newline at the end': pretty({ model: 'opus' }),
  tabs: `${pretty({ model: 'opus', ...others }, '\t')}\n`,
  'four spaces': `${pretty({ ...others, model: 'opus' }, 4)}\n`,
  minified: JSON.stringify({ model: 'opus', ...others, env: { A: 'b' } }),
  'one line with spaces': '{ "model": "opus", "hooks": { "Stop": [] } }\n',
  CRLF: `${pretty({ model: 'opus', ...others })}\n`.replaceAll('\n', '\r\n'),
  'a byte order mark': `\uFEFF${pretty({ model: 'opus' })}\n`,
  "other tools' hooks in the same events": pretty({
    hooks: {
      SessionStart: [{ hooks: [{ type: 'command', command: '~/bin/greet', timeout: 3 }] }],
      Stop: [{ hooks: [{ type: 'http', url: 'http://127.0.0.1:1' }] }, { hooks: [] }],
    },
  }),
  'hooks under matchers': pretty({
    hooks: {
      PreToolUse: [
        { matcher: 'Bash', hooks: [{ type: 'command', command: 'guard.sh' }] },
        { matcher: 'Edit|Write', hooks: [{ type: 'command', command: 'format.sh' }] },
      ],
    },
    statusLine: { type: 'command', command: 'line.sh' },
  }),
  'hooks with unknown fields and events': pretty({
    $schema: 'https://json.schemastore.org/claude-code-settings.json',
    hooks: {
      NotYetKnown: [{ hooks: [{ type: 'wasm', module: 'x', onFailure: 'block' }], when: 'later' }],
      note: 'mine',
    },
  }),
  'an empty hooks object': '{\n  "hooks": {},\n  "model": "opus"\n}\n',
  'an empty hooks object with space inside': '{\n  "hooks": {  \n  }\n}\n',
  'empty event lists': '{\n  "hooks": {\n    "Stop": [],\n    "SessionEnd": [ ]\n  }\n}\n',
  'odd white space': '  {\r\n"a" :1 ,\n\n\t"hooks"\t: { "Stop" :[ ] }\n , "b":[1,2 ]}  \n\n',
  'text that needs escapes': pretty({ env: { 'q"\\\n': '日本 \u2028 \\u0000 😀' }, __proto__x: 1 }),
};

describe.each(Object.entries(shapes))('%s', (_, original) => {
  const { text, undo } = put(original);

  test('gets every event once, in valid JSON, and keeps what it had', () => {
    const parsed = parse(text);
    for (const event of wanted.keys())
      expect(ownCommands(parsed, event)).toEqual([wanted.get(event)?.command]);
    expect(withoutOwn(parsed)).toEqual(withoutOwn(parse(original ?? '')));
  });

  test('is not changed by a second run', () => {
    expect(merge(text, wanted, undo, 'settings.json')).toEqual({ text, undo });
  });

  test('is restored byte for byte', () => {
    expect(unmerge(text, undo, 'settings.json')).toBe(original);
  });

  test('is restored byte for byte after the set of events has changed', () => {
    const fewer = merge(text, handlers(['Stop', 'SessionStart']), undo, 'settings.json');
    const more = merge(fewer.text, wanted, fewer.undo, 'settings.json');
    expect(unmerge(more.text, more.undo, 'settings.json')).toBe(original);
  });
});

describe('style', () => {
  test('an addition looks like the rest of the file', () => {
    const stop = handlers(['Stop']);
    expect(put('{\n\t"a": 1\n}', stop).text).toContain(
      '\n\t"hooks": {\n\t\t"Stop": [\n\t\t\t{\n\t\t\t\t"hooks": [',
    );
    expect(put('{"a":1}', stop).text).toMatch(
      /^\{"a":1,"hooks":\{"Stop":\[\{"hooks":\[\{"type":"command",[^\n]+\}\]\}\]\}\}$/,
    );
    expect(put('{ "a": 1 }', stop).text).toMatch(/^\{ "a": 1, "hooks": \{ "Stop": \[ \{ "hooks": /);
    expect(put('{\r\n  "a": 1\r\n}\r\n').text.replaceAll('\r\n', '')).not.toContain('\n');
  });

  test('a new file is two-space JSON that ends with a newline', () => {
    const { text } = put(null);
    expect(text).toBe(`${pretty(JSON.parse(text))}\n`);
  });
});

describe('own entries of an older version', () => {
  const old = 'f=\'/old/home/emit.sh\'; test -x "$f" && exec "$f" Stop';
  const file = pretty({
    hooks: {
      Stop: [
        { hooks: [{ type: 'command', command: 'first.sh' }] },
        { hooks: [{ type: 'command', command: old, timeout: 5 }] },
        { hooks: [{ type: 'command', command: 'last.sh' }] },
      ],
    },
  });

  test('are updated in place', () => {
    const { text } = put(file, handlers(['Stop']));
    const now = JSON.stringify(wanted.get('Stop')?.command);
    expect(text).toBe(file.replace(JSON.stringify(old), now).replace('"timeout": 5', '"timeout": 600'));
  });

  test('get a field that was missing', () => {
    const { text } = put(file.replace(/,\s+"timeout": 5/, ''), handlers(['Stop']));
    expect(JSON.parse(text).hooks.Stop[1]).toEqual({ hooks: [wanted.get('Stop')] });
  });

  test('are removed without a record too, with the lists that contain nothing else', () => {
    const { text } = put(file, handlers(['Stop', 'SessionEnd']));
    const left = unmerge(text, undefined, 'settings.json');
    expect(JSON.parse(left ?? '').hooks).toEqual({
      Stop: [
        { hooks: [{ type: 'command', command: 'first.sh' }] },
        { hooks: [{ type: 'command', command: 'last.sh' }] },
      ],
    });
    expect(unmerge(put('{"a":1}').text, undefined, 'settings.json')).toBe('{"a":1}');
  });

  test('that are duplicated or have a matcher become one that always fires', () => {
    const mine = { type: 'command', command: old };
    const text = pretty({
      hooks: {
        Stop: [{ hooks: [mine, { type: 'command', command: 'theirs.sh' }, mine] }],
        PreToolUse: [{ matcher: 'Bash', hooks: [mine] }],
      },
    });
    const { hooks } = JSON.parse(put(text, handlers(['Stop', 'PreToolUse'])).text);
    expect(hooks.Stop).toEqual([{ hooks: [wanted.get('Stop'), { type: 'command', command: 'theirs.sh' }] }]);
    expect(hooks.PreToolUse).toEqual([{ hooks: [wanted.get('PreToolUse')] }]);
  });

  test('of an event that is no longer registered are removed', () => {
    const { text } = put(file, handlers(['SessionStart']));
    expect(Object.keys(JSON.parse(text).hooks)).toEqual(['Stop', 'SessionStart']);
    expect(JSON.parse(text).hooks.Stop).toHaveLength(2);
  });
});

describe('edits that others made after setup', () => {
  const original = '{\n  "model": "opus"\n}\n';
  const { text, undo } = put(original);
  const back = (edited: string) => unmerge(edited, undo, 'settings.json');

  test('keys before, after and inside are kept, and nothing of ours remains', () => {
    const edited = text
      .replace('"opus"', '"sonnet"')
      .replace(/\n\}\n$/, ',\n  "theme": "dark"\n}\n')
      .replace('"Stop": [', '"Stop": [\n      {"hooks": []},');
    expect(back(edited)).toBe(
      '{\n  "model": "sonnet",\n  "hooks": {\n    "Stop": [\n      {"hooks": []}\n    ]\n  },\n  "theme": "dark"\n}\n',
    );
  });

  test('a file rewritten in another style is cleaned too', () => {
    const value = { ...JSON.parse(text), added: true };
    expect(back(JSON.stringify(value))).toBe('{"model":"opus","added":true}');
    expect(back(pretty(value, '\t'))).toBe(pretty({ model: 'opus', added: true }, '\t'));
  });

  test('a file that Drover created is kept if it has other content', () => {
    const made = put(null);
    const used = made.text.replace(/\n\}\n$/, ',\n  "theme": "dark"\n}\n');
    expect(unmerge(used, made.undo, 'settings.json')).toBe('{\n  "theme": "dark"\n}\n');
  });

  test('an empty container is kept, whether it was empty before or emptied later', () => {
    const kept = put('{"hooks":{"Stop":[{"hooks":[]}]}}');
    const emptied = kept.text.replace('{"hooks":[]},', '');
    expect(unmerge(emptied, kept.undo, 'settings.json')).toBe('{"hooks":{"Stop":[]}}');
  });
});

describe('unsafe files are rejected with line and column', () => {
  test.each([
    ['a line comment', '{\n  // mine\n  "a": 1\n}', 'settings.json:2:3: comments are not JSON'],
    ['a block comment', '{"a": 1 /* x */}', 'settings.json:1:9: comments'],
    ['a trailing comma', '{\n  "a": 1,\n}', 'settings.json:3:1: a trailing comma is not JSON'],
    ['a trailing comma in a list', '{"a": [1,]}', 'settings.json:1:10: a trailing comma'],
    ['half a file', '{"a": ', 'settings.json:1:7: it is not JSON'],
    ['text behind the end', '{"a": 1} x', 'settings.json:1:10: it is not JSON'],
    ['single quotes', "{'a': 1}", 'settings.json:1:2: it is not JSON'],
    ['a raw control character', '{"a": "\t"}', 'settings.json:1:'],
    ['a list at the top', '[]', 'settings.json:1:1: the top level is not an object'],
    ['a string at the top', '"x"', 'the top level is not an object'],
    ['hooks that are no object', '{\n  "hooks": []\n}', 'settings.json:2:12: "hooks" is not an object'],
    ['hooks that are null', '{"hooks": null}', '"hooks" is not an object'],
    ['an event that is no list', '{"hooks": {"Stop": {}}}', 'settings.json:1:20: "hooks.Stop" is not a list'],
    ['hooks twice', '{"hooks": {}, "hooks": {}}', 'settings.json:1:15: duplicate key "hooks"'],
    ['an event twice', '{"hooks": {"Stop": [], "Stop": []}}', 'duplicate key "Stop"'],
  ])('%s', (_, text, message) => {
    const attempt = () => put(text);
    expect(attempt).toThrow(DroverError);
    expect(attempt).toThrow(message);
    expect(attempt).toThrow(expect.objectContaining({ code: 'bad_settings' }));
  });
});

describe('any settings in any formatting', () => {
  const hook = fc.record(
    { type: fc.constantFrom('command', 'http'), command: fc.string(), timeout: fc.nat() },
    { requiredKeys: ['type'] },
  );
  const group = fc.record(
    { matcher: fc.constantFrom('', '*', 'Bash', 'Edit|Write'), hooks: fc.array(hook, { maxLength: 2 }) },
    { requiredKeys: ['hooks'] },
  );
  const event = fc.constantFrom('Stop', 'SessionStart', 'PreToolUse', 'WorktreeCreate', 'Strange');
  const hooks = fc.dictionary(
    event,
    fc.array(fc.oneof(group, fc.jsonValue({ maxDepth: 1 })), { maxLength: 3 }),
  );
  const settings = fc
    .tuple(
      fc.dictionary(fc.string(), fc.jsonValue()),
      fc.option(hooks, { nil: undefined }),
      fc.dictionary(fc.string(), fc.jsonValue()),
    )
    .map(([first, hooks, last]) => {
      const { hooks: _, ...before } = first;
      const { hooks: __, ...after } = last;
      return { ...before, ...(hooks ? { hooks } : {}), ...after };
    });
  const format = fc.constantFrom<(value: unknown) => string>(
    value => JSON.stringify(value),
    value => `${pretty(value)}\n`,
    value => pretty(value, 4),
    value => `${pretty(value, '\t')}\n`,
    value => `\uFEFF${pretty(value)}\n`.replaceAll('\n', '\r\n'),
    value => pretty(value, 1).replace(/\n\s*/g, ' '),
    value => pretty(value).replace(/\n\s*/g, '\n'),
    value => ` \n${pretty(value, 3).replaceAll(': ', ' :')} \r\n`,
    value => pretty(value).replaceAll('[]', '[ \t]').replaceAll('{}', '{\n}'),
  );
  const sets = fc.subarray([...wanted.keys()]).map(events => handlers(events));

  test('merging and removing restores the file, merging twice changes nothing, and only our entries are added', () => {
    fc.assert(
      fc.property(settings, format, sets, sets, (value, write, first, second) => {
        const original = write(value);
        fc.pre(isJson(original));
        const once = put(original, first);
        expect(merge(once.text, first, once.undo, 'f').text).toBe(once.text);
        expect(unmerge(once.text, once.undo, 'f')).toBe(original);
        expect(withoutOwn(parse(once.text))).toEqual(withoutOwn(parse(original)));
        for (const [event, handler] of first)
          expect(ownCommands(parse(once.text), event)).toEqual([handler.command]);

        const twice = merge(once.text, second, once.undo, 'f');
        expect(unmerge(twice.text, twice.undo, 'f')).toBe(original);
      }),
      { numRuns: 300 },
    );
  });
});

const isJson = (text: string): boolean => {
  try {
    parse(text);
    return true;
  } catch {
    return false;
  }
};

const parse = (text: string): Record<string, unknown> =>
  text.trim() === '' ? {} : JSON.parse(text.replace(/^\uFEFF/, ''));

const groupsOf = (hooks: unknown, event: string): Record<string, unknown>[] =>
  (Object(hooks)[event] ?? []).map(Object);

const ownCommands = (settings: Record<string, unknown>, event: string): unknown[] =>
  groupsOf(settings.hooks, event)
    .flatMap(group => (Array.isArray(group.hooks) ? group.hooks : []))
    .map(handler => Object(handler).command)
    .filter(isOwnCommand);

/** Removes own groups and empty containers from settings. */
const withoutOwn = (settings: Record<string, unknown>): unknown => {
  const lists = Object.entries(Object(settings.hooks)).map(([event, groups]) => [
    event,
    Array.isArray(groups) ? groups.filter(group => !isOwnGroup(group)) : groups,
  ]);
  const kept = lists.filter(([, groups]) => !Array.isArray(groups) || groups.length > 0);
  const { hooks: _, ...rest } = settings;
  return kept.length > 0 ? { ...rest, hooks: Object.fromEntries(kept) } : rest;
};

const isOwnGroup = (group: unknown): boolean => {
  const { hooks } = Object(group);
  return (
    Array.isArray(hooks) && hooks.length > 0 && hooks.every(handler => isOwnCommand(Object(handler).command))
  );
};
