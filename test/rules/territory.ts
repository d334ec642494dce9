/** Rules about which folder alone may run tmux, speak SQL, do IO, and so on. */
import { folderOf, importsOf, isTest, type Source } from './sources.ts';

const code = (files: Source[]): Source[] => files.filter(file => !isTest(file));

/** Only `tmux/` runs tmux. */
export const strayTmux = (files: Source[]): string[] =>
  code(files)
    .filter(
      ({ path, text }) =>
        folderOf(path) !== 'tmux' && /(?:spawn|exec|execFile)(?:Sync)?\(\s*['"`]tmux/.test(text),
    )
    .map(({ path }) => `${path} runs tmux`);

/** Only `store/` speaks SQL. */
export const straySql = (files: Source[]): string[] =>
  code(files)
    .filter(
      ({ path, text }) =>
        folderOf(path) !== 'store' &&
        /['"`]\s*(?:SELECT|INSERT|UPDATE|DELETE FROM|PRAGMA|CREATE TABLE)\s/.test(text),
    )
    .map(({ path }) => `${path} speaks SQL`);

/** `session/` is pure: no IO, no clock, no randomness. */
export const impure = (files: Source[]): string[] =>
  code(files)
    .filter(({ path }) => folderOf(path) === 'session')
    .flatMap(file => [
      ...importsOf(file)
        .filter(
          ({ to }) =>
            to.startsWith('node:') || /^src\/(?:(?:platform|files)\/|(?:paths|clock)\.ts$)/.test(to),
        )
        .map(({ to }) => `${file.path} imports ${to}`),
      ...(/Date\.now|new Date\(\)|Math\.random|process\.|setTimeout/.test(file.text)
        ? [`${file.path} reads a clock or the process`]
        : []),
    ]);

/** The folders that run in the daemon. */
const ofDaemon = new Set(
  (
    'changes claude config daemon driver files fleet hook hub live notify platform print resume server session store ' +
    'tmux usage wake watch'
  ).split(' '),
);

/** The files of these folders that may ask for the time of day, with the reason. All others get the clock of `src/clock.ts`. */
const ownTime = new Map([
  ['src/platform/linux/processes.ts', 'turns the uptime of the kernel into a time of day, by the same clock'],
  ['src/print/cli/abandoned-runs.ts', 'compares with the time of a folder, which the kernel sets'],
  ['src/print/run.ts', 'a run is a process of its own, not the daemon'],
  ['src/hook/install/backup.ts', 'called by commands, not by the daemon'],
  ['src/fleet/enrol/init.ts', 'called by `drover fleet init`'],
  ['src/fleet/enrol/reach-broker.ts', 'called by `drover fleet init` and `join`'],
  ['src/fleet/broker/certificate.ts', 'called by `drover fleet init`'],
]);

/** The daemon takes the time of day from its injected clock. */
export const strayTime = (files: Source[]): string[] =>
  code(files)
    .filter(({ path }) => ofDaemon.has(folderOf(path)) && !ownTime.has(path))
    .filter(({ text }) => /\bDate\.now\b|\bnew Date\(\s*\)|\bDate\(\)/.test(withoutComments(text)))
    .map(({ path }) => `${path} asks for the time of day`);

/** Entries of the list above that are no longer needed. */
export const needlessOwnTime = (files: Source[]): string[] =>
  [...ownTime.keys()].filter(
    path => !/\bDate\.now\b|\bnew Date\(\s*\)/.test(files.find(file => file.path === path)?.text ?? ''),
  );

/** The files of the server that see HTTP. Handlers and the dispatcher get calls: several transports can carry the same call. */
const overHttp = new Set(
  ['app', 'authenticate', 'body', 'connections', 'respond'].map(name => `src/server/${name}.ts`),
);

/** Only these files of `server/` see HTTP requests and responses. */
export const serverOverHttp = (files: Source[]): string[] =>
  code(files)
    .filter(({ path }) => path.startsWith('src/server/') && !overHttp.has(path))
    .flatMap(importsOf)
    .filter(({ to }) => /^node:https?2?$/.test(to) || to === 'src/server/app.ts')
    .map(({ from, to }) => `${from} imports ${to}`);

/** Only `platform/` knows on which system it runs: no other file reads /proc or /etc, runs ps or asks for the platform. */
export const strayPlatform = (files: Source[]): string[] =>
  code(files)
    .filter(({ path }) => folderOf(path) !== 'platform')
    .filter(({ text }) =>
      /['"`][^'"`\n]*\/(?:proc|sys|dev\/pts)\/|['"`]\/etc\/|\b(?:platform|system)Name\s*[!=]==|process\.platform|\bos\.platform|\bplatform\b[^;]*from 'node:os'|DROVER_PLATFORM|(?:spawn|exec|execFile)(?:Sync)?\(\s*['"`](?:ps|lsof|sysctl|launchctl|systemctl)\b/.test(
        withoutComments(text),
      ),
    )
    .map(({ path }) => `${path} knows the platform`);

const withoutComments = (text: string): string => text.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');

/** Only `fleet/nats/` knows the client of the broker. */
export const strayBroker = (files: Source[]): string[] =>
  code(files)
    .filter(({ path, text }) => !path.startsWith('src/fleet/nats/') && /from '@nats-io\//.test(text))
    .map(({ path }) => `${path} imports the client of the broker`);

/** File names say what they export. */
export const vagueNames = (files: Source[]): string[] =>
  files
    .filter(
      ({ path }) =>
        /(?:utils?|helpers?|common|manager|service-?|misc)\.tsx?$/i.test(path) &&
        !path.endsWith('cli/verbs/service.ts'),
    )
    .map(({ path }) => path);
