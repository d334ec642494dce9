/** The checks of `drover doctor` for versions of Claude Code that are newer than the tested ones. */
import { untestedText, unreadText } from '../../client/untested-text.ts';
import type { CliStatus } from '../../contract/api.ts';
import type { Check } from '../output/print-checks.ts';

/** Nothing when all live sessions run tested versions. A daemon of an earlier version reports none. */
export const cliChecks = (cli: CliStatus | undefined): Check[] => [
  ...(cli && cli.untested.length > 0
    ? [{ name: 'sessions', ok: null, says: untestedText(cli.untested) }]
    : []),
  ...(cli?.unread ?? []).map(unread => ({
    name: 'dialogs',
    ok: false,
    says: unreadText(unread),
    fix: 'update Drover; until then answer in the terminal, or hold requests with `drover hold`, which needs no keys',
  })),
];
