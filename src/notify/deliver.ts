/** Send a notification by bell, desktop, command or webhook. Failures are returned, not thrown, and each has a time limit. */
import { spawn } from 'node:child_process';
import type { Notice, NotifyConfig } from '../contract/notice.ts';
import { limits } from '../limits.ts';
import { post } from './post.ts';

/** Send by every configured channel; returns the failures with the name of the channel. */
export const deliver = async (
  notice: Notice,
  config: NotifyConfig,
  bell: () => Promise<void>,
): Promise<string[]> => {
  const { command, webhook } = config;
  const channels = new Map<string, () => Promise<unknown>>();
  if (config.bell) channels.set('bell', bell);
  if (config.desktop) channels.set('desktop', () => desktop(notice));
  if (command) channels.set('command', () => run(command, json(notice)));
  if (webhook) channels.set('webhook', () => post(webhook, json(notice), limits.notify.timeout));
  const problems = await Promise.all(
    Array.from(channels, ([name, send]) =>
      send().then(
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

/** Escape markup, which desktops interpret in the body. */
const markup = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const run = ([program, ...args]: string[], input: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const child = spawn(program as string, args, {
      stdio: ['pipe', 'ignore', 'pipe'],
      timeout: limits.notify.timeout,
      killSignal: 'SIGKILL',
    });
    let stderr = '';
    child.stderr.on('data', chunk => {
      stderr = `${stderr}${String(chunk)}`.slice(-500);
    });
    child.on('error', reject);
    // A program may exit without reading its input.
    child.stdin.on('error', () => {});
    child.on('close', (code, signal) => {
      if (code === 0) resolve();
      else reject(new Error(`${program} exited with ${code ?? signal}${stderr ? `: ${stderr.trim()}` : ''}`));
    });
    child.stdin.end(input);
  });
