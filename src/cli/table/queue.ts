/** Commands that go to sessions and work through the queue. */
import type { Verb } from '../verb.ts';
import { json } from './json-option.ts';
import { sessionHelp } from './session-help.ts';

const headOfQueue = 'Without a session: the first one in the queue. Exits with 1 if no session is waiting.';

export const queueVerbs: Verb[] = [
  {
    name: 'next',
    args: '',
    summary: 'Go to the first session in the queue',
    options: { json },
    details: `Inside tmux, your tmux client switches to it. Outside tmux, this terminal attaches to it. The session is claimed for you
for 30 s. Where neither is possible, the command that attaches is printed and nothing is claimed. Exits with 1 if no session
is waiting.`,
    daemon: true,
    load: () => import('../verbs/next.ts'),
  },
  {
    name: 'go',
    args: '<session>',
    summary: 'Go to the tmux pane of a session',
    options: {
      link: { help: 'Link its window into your tmux session; `drover back` unlinks it' },
      attach: { help: 'Attach this terminal to it, also inside tmux' },
      client: { value: '<name>', help: 'Switch this tmux client instead (see `tmux list-clients`)' },
      json,
    },
    details: `${sessionHelp}

For a pane on another tmux server, the command that attaches to it is printed. To a session of another host of the fleet it goes
over SSH: inside tmux in a new window, outside tmux in this terminal.

  drover go payments
  drover go 4dd7@devbox`,
    daemon: true,
    load: () => import('../verbs/go.ts'),
  },
  {
    name: 'back',
    args: '',
    summary: 'Go back to where you were before the last jump',
    options: { json },
    details: 'Each tmux client has its own history. Exits with 1 if there is nothing to go back to.',
    daemon: true,
    load: () => import('../verbs/back.ts'),
  },
  {
    name: 'panel',
    args: '',
    summary: 'Answer the first open request of the queue',
    options: {},
    details: `Shows one request in full with its options. A digit chooses, Enter sends and closes the panel, Tab shows the next request,
Esc closes. After \`drover setup --tmux\`, prefix A opens it in a popup over whatever you are doing.`,
    load: () => import('../verbs/panel.ts'),
  },
  {
    name: 'skip',
    args: '[session]',
    summary: 'Move a session to the back of the queue for 30 s',
    options: { json },
    details: headOfQueue,
    daemon: true,
    load: () => import('../verbs/skip.ts'),
  },
  {
    name: 'snooze',
    args: '[session] <duration>',
    summary: 'Hide a session from the queue for a while; it keeps its position',
    options: { json },
    details: `${headOfQueue}

  drover snooze 10min
  drover snooze 6c57b6 2h`,
    daemon: true,
    load: () => import('../verbs/snooze.ts'),
  },
  {
    name: 'dismiss',
    args: '[session]',
    summary: 'Defer a session until its state changes',
    options: { json },
    details: headOfQueue,
    daemon: true,
    load: () => import('../verbs/dismiss.ts'),
  },
];
