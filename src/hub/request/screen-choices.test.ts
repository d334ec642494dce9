/** The choices of dialogs, on screens captured from both versions. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { dialogOf } from '../../claude/screen/dialog.ts';
import { startupDialog } from '../../claude/screen/dialogs.ts';
import type { Hook } from '../../contract/hook.ts';
import type { Reason } from '../../contract/session.ts';
import { aSession } from '../../testing/session.ts';
import type { PaneScreen } from '../../tmux/server/pane-screen.ts';
import { choicesOn } from './screen-choices.ts';
import { type Asked, isShown } from './screen-match.ts';
import type { Seen } from './terminal-screen.ts';

const seenOn = (name: string): Seen => {
  const text = readFileSync(new URL(`../../../test/screens/${name}.txt`, import.meta.url), 'utf8');
  const rows = text.split('\n').map(row => row.trimEnd());
  return { pane: { rows, width: 40 } as PaneScreen, dialog: dialogOf(rows, 40), at: 0 };
};
const asked = (kind: Reason, payload: object, line = ''): Asked => ({
  id: 1,
  kind,
  tool: null,
  agent: null,
  line,
  at: 0,
  until: null,
  isFromScreen: false,
  payload: payload as Hook,
});
const session = aSession({});

describe.each(['2.1.197', '2.1.325'])('Claude Code %s', version => {
  test.each([
    ['trust', 'trust this folder?', /^Yes/, 'Claude Code may read, change and run files in /w'],
    ['apikey', 'use the API key of the environment?', /^Yes/, 'billed to that key'],
    ['bypass', 'bypass permissions?', /^Yes/, 'run every command without asking'],
    ['theme', 'choose a theme', /^Light mode$/, 'use the theme “Light mode”'],
    ['badsettings', 'settings warning', /^Continue/, 'without the settings of the invalid file'],
    ['mcp', 'use the MCP server of this project?', /^Continue/, 'start without this MCP server'],
  ])('the start-up dialog %s: each option with what it does', (name, line, label, effect) => {
    const seen = seenOn(`${name}-${version}`);
    const request = asked('dialog', { cwd: '/w' }, line);
    expect(startupDialog(seen.pane.rows.join('\n'))).toBe(line);
    expect(isShown(seen, request, session)).toBe(true);
    expect(isShown(seen, { ...request, line: 'log in' }, session)).toBe(false);
    const choices = choicesOn(seen, request, version).map(({ choice }) => choice);
    expect(choices.map(({ choice }) => choice)).toEqual(choices.map((_, n) => `startup:${n + 1}`));
    expect(choices.every(({ confirm }) => confirm !== undefined)).toBe(true);
    expect(choices.find(choice => label.test(choice.label))?.confirm).toContain(effect);
  });

  test('a permission with the rule that it would remember', () => {
    const seen = seenOn(`permission-${version}`);
    const tool_input = { command: 'touch made', description: 'Run what the story asks' };
    const request = asked('permission', { tool_name: 'Bash', tool_input });
    expect(isShown(seen, request, session)).toBe(true);
    expect(isShown(seen, { ...request, payload: null }, session)).toBe(false);
    const always = choicesOn(seen, request, version)[1]?.choice;
    expect(always).toMatchObject({
      choice: 'allow_always',
      rule: expect.stringContaining('always allow access to'),
    });
    const directories = ['/home/dev/project'];
    const permission_suggestions = [{ type: 'addDirectories', directories, destination: 'localSettings' }];
    const suggested = asked('permission', { tool_name: 'Bash', tool_input, permission_suggestions });
    expect(choicesOn(seen, suggested, version)[1]?.choice.rule).toBe(
      'access to /home/dev/project (in this project, for you)',
    );
    permission_suggestions.push({ type: 'setMode', mode: 'acceptEdits', destination: 'session' } as never);
    const mode = '; permission mode acceptEdits (for this session)';
    expect(choicesOn(seen, suggested, version)[1]?.choice.rule).toBe(
      `access to /home/dev/project (in this project, for you)${version === '2.1.197' ? mode : ''}`,
    );
  });

  test('a plan and a question are recognised by their text', () => {
    const plan = '# The plan\n\n1. Write the story\n2. Run it';
    const seen = seenOn(`plan-${version}`);
    expect(isShown(seen, asked('plan', { tool_input: { plan } }), session)).toBe(true);
    expect(isShown(seen, asked('plan', { tool_input: { plan: `${plan}\n3. Ship it` } }), session)).toBe(
      false,
    );
    const told: Record<string, string> = { Small: 'Fits in a pocket', Large: 'Fits in a cart' };
    const question = (labels: string[], header = 'Size', asks = 'Which size?') => {
      const options = labels.map(label => ({ label, description: told[label] }));
      return { tool_input: { questions: [{ question: asks, header, options }] } };
    };
    const open = seenOn(`question-${version}`);
    expect(isShown(open, asked('question', question(['Small', 'Large'])), session)).toBe(true);
    for (const other of [
      question(['Large', 'Small']),
      question(['Small']),
      question(['Small', 'Large'], 'Colour'),
      question(['Small', 'Large'], 'Size', 'size?'),
    ])
      expect(isShown(open, asked('question', other), session)).toBe(false);
  });
});
