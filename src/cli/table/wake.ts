/** `drover wake`: agents that are notified about sessions. */
import type { Verb } from '../verb.ts';
import { json } from './json-option.ts';

export const wakeVerb: Verb = {
  name: 'wake',
  args: 'add|ls|rm|test|pause|resume|import|follow|unfollow|log [agent|file]',
  summary: 'Notify other agents when your sessions finish or need an answer',
  options: {
    tmux: { value: '<name>', help: 'add: watch the session in the tmux session with this exact name' },
    project: { value: '<dir>', help: 'add: watch all sessions started in this folder' },
    session: { value: '<id>', repeatable: true, help: 'add: watch this session; log: only this session' },
    parent: { value: '<id>', help: 'add: watch the sessions that this session starts, and notify it' },
    origin: {
      value: '<name>',
      repeatable: true,
      help: 'add: watch the sessions that this token or host reports',
    },
    openclaw: { value: '<id>', help: 'add: deliver with `openclaw agent --session-id`' },
    webhook: { value: '<url>', help: 'add: deliver with POST' },
    'secret-file': {
      value: '<file>',
      help: 'With --webhook: sign with the secret in this file (mode 0600)',
    },
    'to-session': { value: '<id>', help: 'add: deliver as a message to this session' },
    mode: {
      value: '<mode>',
      choices: ['async', 'bidirectional'],
      help: 'add: bidirectional if its answer decides (default async)',
    },
    set: {
      value: '<name=value>',
      repeatable: true,
      help: 'add: setting of this agent, e.g. max_blocks=2, triggers.plan=false; name= removes it',
    },
    replace: { help: 'add, import: replace an existing entry or setting' },
    'dry-run': { help: 'test: send nothing; import: write nothing' },
    agent: { value: '<agent>', help: 'log: only this agent' },
    last: { value: '<n>', short: 'n', help: 'log: newest n entries (default 50)' },
    json,
  },
  details: `Agents are stored in config.json, in the format of gsd-code-skill. Changes apply at once. To deliver to a command, put it
after --; it gets the message on standard input.

  drover wake add warden --tmux warden-main --openclaw 7c1f
  drover wake add watch --project ~/projects -- logger -t claude
  drover wake import recovery-registry.json    copy its agents once
  drover wake follow recovery-registry.json    use it as it is, also when other scripts change it
  drover wake test warden`,
  passThrough: true,
  load: () => import('../verbs/wake.ts'),
};
