/** The ways of telling. Each says what went wrong instead of throwing, and none is waited for longer than its time. */
import { spawn } from 'node:child_process';
import type { Notice, NotifyConfig } from '../contract/notice.ts';
import { limits } from '../limits.ts';
import { post } from './post.ts';

/** Tells by every way of the config; returns what went wrong, naming the way. */
export const deliver = async (
  notice: Notice,
  config: NotifyConfig,
  bell: () => Promise<void>,
): Promise<string[]> => {
  const { command, webhook } = config;
  const ways = new Map<string, () => Promise<unknown>>();
  if (config.bell) ways.set('bell', bell);
  if (config.desktop) ways.set('desktop', () => desktop(notice));
  if (command) ways.set('command', () => run(command, json(notice)));
  if (webhook) ways.set('webhook', () => post(webhook, json(notice), limits.notify.timeout));
  const problems = await Promise.all(
    Array.from(ways, ([name, way]) =>
      way().then(
        () => [],
        error => [`${name}: ${(error as Error).message}`],
      ),
    ),
  );
  return problems.flat();
};

const json = (notice: Notice): string => `${JSON.stringify(notice)}\n`;

const desktop = ({ title, text }: Notice): Promise<void> =>
  process.platform === 'darwin'
    ? run(
        [
          'osascript',
          ...[
            'on run argv',
            'display notification (item 2 of argv) with title (item 1 of argv)',
            'end run',
          ].flatMap(row => ['-e', row]),
          title,
          text,
        ],
        '',
      )
    : run(['notify-send', '--app-name=drover', '--', title, markup(text)], '');

/** Desktops read the body as markup. */
const markup = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const run = ([program, ...args]: string[], input: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const child = spawn(program as string, args, {
      stdio: ['pipe', 'ignore', 'pipe'],
      timeout: limits.notify.timeout,
      killSignal: 'SIGKILL',
    });
    let said = '';
    child.stderr.on('data', chunk => {
      said = `${said}${String(chunk)}`.slice(-500);
    });
    child.on('error', reject);
    // A program that does not read what it is given is no error.
    child.stdin.on('error', () => {});
    child.on('close', (code, signal) => {
      if (code === 0) resolve();
      else reject(new Error(`${program} ended with ${code ?? signal}${said ? `: ${said.trim()}` : ''}`));
    });
    child.stdin.end(input);
  });
