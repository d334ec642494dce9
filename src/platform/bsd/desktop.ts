/** The desktop on macOS: AppleScript, `open` and launchd. */
import { join } from 'node:path';
import { userHome } from '../../paths.ts';
import type { Desktop, Service } from '../platform.ts';

export const bsdDesktop: Desktop = {
  notifyPrograms: ['terminal-notifier', 'osascript'],
  notifyCommand: (program, title, text, link) =>
    program === 'terminal-notifier'
      ? [
          program,
          '-title',
          escapeValue(title),
          '-message',
          escapeValue(text),
          ...(link === null ? [] : ['-open', link]),
        ]
      : [program, ...script.flatMap(row => ['-e', row]), noOption(title), text],
  browser: () => 'open',
  policyFolder: '/Library/Application Support/ClaudeCode',
  services: {
    file: env => join(userHome(env), 'Library', 'LaunchAgents', 'drover.plist'),
    text: service => launchAgent(service),
    enable: file => ['launchctl', 'load', '-w', file],
    disable: file => ['launchctl', 'unload', '-w', file],
  },
};

const script = [
  'on run argv',
  'display notification (item 2 of argv) with title (item 1 of argv)',
  'end run',
];

/** terminal-notifier reads a value with such a beginning as a list or an option, unless there is a backslash before it. */
const escapeValue = (text: string): string => (/^[[({<"-]/.test(text) ? `\\${text}` : text);

/** The first argument after the script would be read as an option if it began with a dash. */
const noOption = (text: string): string => (text.startsWith('-') ? ` ${text}` : text);

/** AbandonProcessGroup: what the daemon has started outlives it, as with KillMode=process of systemd. */
const launchAgent = ({ argv, variables }: Service): string => `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0"><dict>
  <key>Label</key><string>drover</string>
  <key>ProgramArguments</key><array>
${argv.map(word => `    <string>${xml(word)}</string>`).join('\n')}
  </array>
  <key>EnvironmentVariables</key><dict>
${variables.map(([key, value]) => `    <key>${xml(key)}</key><string>${xml(value)}</string>`).join('\n')}
  </dict>
  <key>RunAtLoad</key><true/>
  <key>AbandonProcessGroup</key><true/>
  <key>KeepAlive</key><dict><key>SuccessfulExit</key><false/></dict>
</dict></plist>
`;

const xml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
