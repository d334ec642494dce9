/** Every generated file by its path. `npm run generate` writes them, a test checks that they are current. */
import { readFileSync } from 'node:fs';
import { verbHelp } from '../src/cli/output/help.ts';
import { manPage } from '../src/cli/output/man-page.ts';
import { type VerbGroup, verbGroups, verbs } from '../src/cli/table/verbs.ts';
import { configSchema } from '../src/contract/config-schema.ts';
import { errors } from '../src/contract/error.ts';
import { routes } from '../src/contract/routes.ts';
import { pluginFiles } from '../src/hook/install/plugin-files.ts';
import { openapi } from '../src/server/openapi.ts';
import { version } from '../src/version.ts';
import { describeFields } from './describe-fields.ts';
import { factTables } from '../test/probe/page.ts';
import { readResult, storedVersions } from '../test/probe/results.ts';

export const generated = (): Record<string, string> => ({
  'docs/openapi.json': `${JSON.stringify(openapi(), null, 2)}\n`,
  'docs/errors.md': errorsPage(),
  'docs/commands.md': commandsPage(),
  'docs/config.schema.json': configSchemaFile(),
  'man/drover.1': manPage(verbGroups, version),
  'docs/guides/print.md': printGuide(),
  'docs/claude-code.md': claudeCodePage(),
  'src/client/routes.generated.ts': routePaths(),
  'src/claude/windows.generated.ts': windowTable(),
  ...pluginFiles(version),
});

const configSchemaFile = (): string => {
  const schema = configSchema();
  describeFields(schema, readFileSync('src/contract/config.ts', 'utf8'), 'Config');
  const notify = schema.properties?.notify;
  if (typeof notify === 'object')
    describeFields(notify, readFileSync('src/contract/notice.ts', 'utf8'), 'NotifyConfig');
  return `${JSON.stringify(schema, null, 2)}\n`;
};

const errorsPage = (): string => `# Errors

Generated from \`src/contract/error.ts\`. Over HTTP, an error is \`{"error": {"code", "message", "hint"}}\` with the status below.
A command prints message and hint on standard error and exits with the code below. With \`--json\` it also prints the object on
standard output.

| code | HTTP | exit | message | hint |
|---|---|---|---|---|
${Object.entries(errors)
  .map(
    ([code, row]) =>
      `| \`${code}\` | ${row.status} | ${row.exit} | ${row.message} | ${row.hint.replaceAll('|', '\\|')} |`,
  )
  .join('\n')}
`;

const commandsPage = (): string => `# Commands

Generated from \`src/cli/table\`. Exit codes: 0 done, 1 check failed or nothing matched, 2 wrong usage, 3 daemon not running, 4 no such session,
5 ambiguous, 6 not possible in this state, 7 failed.

${verbGroups.map(commandTable).join('\n\n')}

${verbs.map(verb => `## ${verb.name}\n\n\`\`\`text\n${verbHelp(verb)}\n\`\`\``).join('\n\n')}
`;

const commandTable = ({ title, verbs: rows }: VerbGroup): string =>
  [
    `**${title}**`,
    '',
    '| command | |',
    '| --- | --- |',
    ...rows.map(({ name, summary }) => `| [\`drover ${name}\`](#${name}) | ${summary} |`),
  ].join('\n');

/** What a client needs of the route table at run time. Its type holds it equal to the table, so a stale one does not compile. */
const routePaths =
  (): string => `/** Made from src/contract/routes.ts by \`npm run generate\`: the method and the path of each route. */
import type { routes } from '../contract/routes.ts';

type Table = (typeof routes)[number];

export const routePaths = {
${routes.map(({ id, method, path }) => `  ${id}: ['${method}', '${path}'],`).join('\n')}
} as const satisfies { [Row in Table as Row['id']]: readonly [Row['method'], Row['path']] };
`;

/** The context windows that the probe has measured, newest version of the CLI first. */
const windowTable =
  (): string => `/** Made from test/probe/results by \`npm run generate\`: the context window of each model, as the CLI counts it, newest CLI first. */
export const measuredWindows: readonly { version: string; windows: { [model: string]: number } }[] = [
${storedVersions()
  .filter(one => 'windows' in readResult(one).facts)
  .toReversed()
  .map(one => {
    const rows = Object.entries(readResult(one).facts.windows ?? {});
    const windows = rows.map(([model, size]) => `      '${model}': ${numberText(Number(size))},`);
    return `  {\n    version: '${one}',\n    windows: {\n${windows.join('\n')}\n    },\n  },`;
  })
  .join('\n')}
];
`;

const numberText = (value: number): string => String(value).replace(/\B(?=(?:\d{3})+$)/g, '_');

/** Replaces only the tables of the probe. */
const claudeCodePage = (): string =>
  readFileSync('docs/claude-code.md', 'utf8').replace(
    /(<!-- probe -->)[\s\S]*(<!-- \/probe -->)/,
    (_, head: string, tail: string) => [head, '', factTables(), '', tail].join('\n'),
  );

/** Replaces only the table of flags; the rest is written by hand. */
const printGuide = (): string => {
  const options = Object.entries(verbs.find(verb => verb.name === 'print')?.options ?? {});
  const rows = options.map(([name, { short, value, help }]) => {
    const flag = `${short ? `-${short}, ` : ''}--${name}${value ? ` ${value}` : ''}`;
    return `| \`${flag}\` | ${help.replaceAll('|', '\\|')} |`;
  });
  return readFileSync('docs/guides/print.md', 'utf8').replace(
    /(<!-- flags -->)[\s\S]*(<!-- \/flags -->)/,
    (_, head: string, tail: string) => [head, '| flag | |', '| --- | --- |', ...rows, tail].join('\n'),
  );
};
