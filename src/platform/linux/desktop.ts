/** The desktop on Linux: freedesktop's tools and systemd. */
import { join } from 'node:path';
import { userHome } from '../../paths.ts';
import type { Desktop, Service } from '../platform.ts';

const serviceName = 'drover.service';

export const linuxDesktop: Desktop = {
  notifyPrograms: ['notify-send'],
  notifyCommand: (program, title, text) => [program, '--app-name=drover', '--', title, markup(text)],
  browser: env => (env.DISPLAY || env.WAYLAND_DISPLAY || env.WSL_DISTRO_NAME ? 'xdg-open' : null),
  policyFolder: '/etc/claude-code',
  services: {
    file: env => join(env.XDG_CONFIG_HOME || join(userHome(env), '.config'), 'systemd', 'user', serviceName),
    text: service => unit(service),
    enable: () => ['systemctl', '--user', 'enable', '--now', serviceName],
    disable: () => ['systemctl', '--user', 'disable', '--now', serviceName],
  },
};

/** Escape markup, which desktops interpret in the body. */
const markup = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const unit = ({ argv, variables }: Service): string => `[Unit]
Description=Drover, the control plane for Claude Code sessions

[Service]
ExecStart=${argv.map((word, at) => (at < 2 ? argument(word) : word)).join(' ')}
Environment=${variables.map(([key, value]) => quoted(`${key}=${value}`)).join(' ')}
Restart=on-failure
RestartSec=2
RestartPreventExitStatus=2 6
KillMode=process

[Install]
WantedBy=default.target
`;

/** Quotes a value for a unit file. `$` is special only in ExecStart. */
const quoted = (word: string): string => `"${word.replace(/[\\"]/g, '\\$&').replaceAll('%', '%%')}"`;

const argument = (word: string): string => quoted(word).replaceAll('$', '$$$$');
