/** Every file that is made from code, by its path. `npm run generate` writes them, a test holds them equal. */
import { readFileSync } from 'node:fs';
import { verbHelp } from '../src/cli/output/help.ts';
import { verbs } from '../src/cli/verbs.ts';
import { errors } from '../src/contract/error.ts';
import { pluginFiles } from '../src/hook/install/plugin-files.ts';
import { openapi } from '../src/server/openapi.ts';
import { version } from '../src/version.ts';

export const generated = (): Record<string, string> => ({
  'docs/openapi.json': `${JSON.stringify(openapi(), null, 2)}\n`,
  'docs/errors.md': errorsPage(),
  'docs/commands.md': commandsPage(),
  'docs/guides/print.md': printGuide(),
  ...pluginFiles(version),
});

const errorsPage = (): string => `# Errors

Made from \`src/contract/error.ts\`. Over HTTP an error is \`{"error": {"code", "message", "hint"}}\` with the status below;
a command prints message and hint on standard error (with \`--json\` the object on standard output too) and ends with the exit code.

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

Made from \`src/cli/verbs.ts\`. Exit codes: 0 done, 1 a clear "no", 2 wrong usage, 3 daemon unreachable, 4 no such session,
5 ambiguous, 6 refused in this state, 7 failed.

${verbs.map(verb => `## ${verb.name}\n\n\`\`\`text\n${verbHelp(verb)}\n\`\`\``).join('\n\n')}
`;

/** Written by hand, but for the table of flags. */
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
