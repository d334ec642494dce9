import {
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { tempHome } from '../../testing/home.ts';
import { denyRules } from './deny-rules.ts';
import { installHooks, removeHooks, wantedHandlers } from './install.ts';
import { previewProtect, previewRemoveAll, protectHome, unprotectHome } from './protect.ts';
import { readRecord } from './record.ts';

const opened = (text: string | null) => {
  const paths = tempHome();
  mkdirSync(paths.home, { recursive: true });
  const name = join(paths.home, '..', 'claude', 'settings.json');
  rmSync(dirname(name), { recursive: true, force: true });
  if (text !== null) {
    mkdirSync(dirname(name));
    writeFileSync(name, text);
  }
  const wanted = wantedHandlers(['2.1.197'], [], { HOME: '/nowhere', DROVER_HOME: paths.home });
  return {
    paths,
    name,
    rules: denyRules([paths.home, realpathSync(paths.home)]),
    read: () => (existsSync(name) ? readFileSync(name, 'utf8') : null),
    hooks: () => installHooks({ name, scope: 'user', paths }, wanted),
  };
};

const texts = [
  null,
  '',
  '\n',
  '{}',
  '{}\n',
  '{\n}\n',
  '{ "model": "x" }',
  '{"permissions":{}}',
  '{\n  "permissions": {\n  }\n}\n',
  '{"permissions":{"deny":[]}}',
  '{\n  "permissions": {\n    "deny": [ ]\n  }\n}\n',
  '{\n\t"permissions": {\n\t\t"allow": ["Bash(ls)"],\n\t\t"deny": ["Read(./.env)"]\n\t},\n\t"model": "x"\n}\n',
  '\uFEFF{\r\n  "permissions": {\r\n    "deny": [\r\n      "Bash(rm *)"\r\n    ]\r\n  }\r\n}\r\n',
];

test.each(texts)('%j: the rules are added once and removed byte for byte', before => {
  const { paths, name, rules, read } = opened(before);
  const plan = previewProtect(name, paths);
  expect([plan.before, read()]).toEqual([before, before]);
  protectHome(name, paths);
  const after = read() ?? '';
  expect(after).toBe(plan.after);
  const { permissions } = JSON.parse(after.replace('\uFEFF', '')) as { permissions: { deny: string[] } };
  expect(permissions.deny.slice(-rules.length)).toEqual(rules);
  const again = protectHome(name, paths);
  expect([again.before, read()]).toEqual([again.after, after]);
  unprotectHome(name, paths);
  expect(read()).toBe(before);
  expect(readRecord(paths).protected).toEqual({});
  expect(existsSync(dirname(name))).toBe(before !== null);
});

test.each(
  texts.flatMap(text =>
    ['hooks', 'rules'].flatMap(
      first =>
        [
          [text, first, 'hooks'],
          [text, first, 'rules'],
        ] as const,
    ),
  ),
)(
  '%j: beside hooks, %s added first and %s removed first, the file comes back to the byte',
  (before, first, last) => {
    const { paths, name, read, hooks } = opened(before);
    const add = { hooks, rules: () => protectHome(name, paths) };
    const drop = { hooks: () => removeHooks(name, paths), rules: () => unprotectHome(name, paths) };
    const order = (begin: string) =>
      begin === 'hooks' ? (['hooks', 'rules'] as const) : (['rules', 'hooks'] as const);
    for (const kind of order(first)) add[kind]();
    expect(previewRemoveAll(name, paths).after).toBe(before);
    for (const kind of order(last)) drop[kind]();
    expect(read()).toBe(before);
  },
);

test('an existing rule is kept', () => {
  const { paths, name, rules, read } = opened(null);
  mkdirSync(dirname(name));
  const before = JSON.stringify({ permissions: { deny: [rules[0]] } });
  writeFileSync(name, before);
  protectHome(name, paths);
  unprotectHome(name, paths);
  expect(read()).toBe(before);
});

test.each(['{"permissions":[]}', '{"permissions":{"deny":{}}}', '{"permissions":{"deny":[]}', '{} // x'])(
  '%s is refused and left as it is',
  before => {
    const { paths, name, read } = opened(before);
    expect(() => protectHome(name, paths)).toThrow('was not changed');
    expect(read()).toBe(before);
  },
);

test('a linked home is protected under both paths, with special characters escaped', () => {
  const { paths, name, read } = opened('{}');
  const real = `${paths.home} [x]`;
  mkdirSync(real);
  rmSync(paths.home, { recursive: true, force: true });
  symlinkSync(real, paths.home);
  protectHome(name, paths);
  const deny = (JSON.parse(read() ?? '') as { permissions: { deny: string[] } }).permissions.deny;
  expect(deny).toEqual(denyRules([paths.home, realpathSync(real)]));
  expect(denyRules(['/a [x]'])).toEqual([String.raw`Read(//a \[x\]/**)`, String.raw`Edit(//a \[x\]/**)`]);
});
