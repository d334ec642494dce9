/** What a session asks of a person, and every way to answer. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Session } from '../../src/contract/session.ts';
import { elicitationArgs } from '../rig/elicit.ts';
import type { Seat } from '../rig/tmux.ts';
import { until } from '../rig/within.ts';
import { choose, moveTo, shows } from './hands.ts';
import { must } from './must.ts';
import type { Scenario, Stage } from './scenario.ts';

const PERMISSION = 'Do you want to proceed?';
const QUESTION = 'Which size?';
const PLANNED = 'Would you like to proceed?';

export const asks: Scenario[] = [
  {
    name: 'permission asked, approved',
    run: async stage => {
      const { seat, asked } = await asking(stage, 'LINGER 400 RUN touch made; sleep 1', 'waiting/permission');
      must(
        asked.detail?.tool === 'Bash' && asked.detail.line.includes('touch made'),
        'what it asks',
        asked.detail,
      );
      await shows(seat, PERMISSION);
      await seat.press('Enter');
      await goesOn(stage);
    },
  },
  {
    name: 'permission denied with a key',
    run: async stage => {
      const { seat } = await asking(stage, 'RUN touch made', 'waiting/permission');
      await choose(seat, PERMISSION, /No/);
      await stage.expect('waiting/interrupted');
      await stage.stays('waiting/interrupted', 700);
    },
  },
  escape('permission denied with Esc', 'RUN touch made', 'waiting/permission', PERMISSION),
  escape('Esc on a question', 'ASK', 'waiting/question', QUESTION),
  escape('Esc on a plan', 'PLAN', 'waiting/plan', PLANNED, 'plan'),
  {
    name: 'one question, shown and answered',
    run: async stage => {
      const { seat, asked } = await asking(stage, 'LINGER 400 ASK', 'waiting/question');
      const [question] = asked.detail?.questions ?? [];
      must(
        asked.detail?.line === QUESTION &&
          asked.detail.questions.length === 1 &&
          question?.question === QUESTION &&
          question.options.map(({ label }) => label).join() === 'Small,Large',
        'the question',
        asked.detail,
      );
      await choose(seat, QUESTION, /Large/);
      await goesOn(stage);
    },
  },
  {
    name: 'several questions, one multi-select, shown and answered',
    run: async stage => {
      const { seat, asked } = await asking(stage, 'LINGER 400 ASK2', 'waiting/question');
      const [one, two] = asked.detail?.questions ?? [];
      must(
        one?.multiSelect === false && two?.multiSelect === true && two.header === 'Extras',
        'both',
        asked.detail,
      );
      await choose(seat, QUESTION, /Large/);
      await choose(seat, 'Which extras?', /Nuts/);
      await choose(seat, 'Which extras?', /Submit|Next/);
      await choose(seat, 'Ready to submit', /Submit/);
      await goesOn(stage);
    },
  },
  {
    name: 'plan shown, approved',
    run: async stage => {
      const { seat, asked } = await asking(stage, 'LINGER 400 PLAN', 'waiting/plan', 'plan');
      must(/The plan[\s\S]*2\. Run it/.test(asked.detail?.text ?? ''), 'the plan', asked.detail);
      await choose(seat, PLANNED, /Yes, and/);
      await goesOn(stage);
    },
  },
  {
    name: 'plan rejected',
    run: async stage => {
      const { seat } = await asking(stage, 'PLAN', 'waiting/plan', 'plan');
      await choose(seat, PLANNED, /Tell Claude/);
      await stage.expect('waiting/interrupted');
      await stage.stays('waiting/interrupted', 700);
    },
  },
  {
    name: 'plan sent back with words',
    run: async stage => {
      const { seat } = await asking(stage, 'LINGER 400 PLAN', 'waiting/plan', 'plan');
      await shows(seat, PLANNED);
      await moveTo(seat, /Tell Claude/);
      await seat.press('better');
      await seat.sees(/❯.*better/);
      await shows(seat, PLANNED);
      await seat.press('Enter');
      await goesOn(stage);
    },
  },
  {
    name: 'MCP elicitation shown, answered',
    run: async stage => {
      const seat = await askedByServer(stage);
      await shows(seat, 'Which colour?');
      await seat.press('b', 'l', 'u', 'e', 'Down');
      await shows(seat, 'Which colour?');
      await seat.press('Enter');
      await goesOn(stage);
    },
  },
  {
    name: 'MCP elicitation cancelled',
    run: async stage => {
      const seat = await askedByServer(stage);
      await shows(seat, 'Which colour?');
      await seat.press('Escape');
      await goesOn(stage);
    },
  },
  {
    name: 'subagent asking permission',
    run: async stage => {
      const { world, expect } = stage;
      const seat = await world.claude({ prompt: 'LINGER 500 AGENT LINGER 500 RUN touch made' });
      await expect('working', { by: ['ready'] });
      const asked = await expect('waiting/permission', { by: ['background'] });
      must(asked.detail?.agent === 'general-purpose' && asked.detail.tool === 'Bash', 'agent', asked.detail);
      if (world.version !== '2.1.197') await seat.sees('Waiting for 1 background agent');
      await shows(seat, PERMISSION);
      await seat.press('Enter');
      if (world.version !== '2.1.197') await expect('background');
      await goesOn(stage);
    },
  },
];

/** A session that does what the prompt says until it asks. */
async function asking(
  { world, expect }: Stage,
  prompt: string,
  what: string,
  permissionMode?: string,
): Promise<{ seat: Seat; asked: Session }> {
  const seat = await world.claude({ prompt, ...(permissionMode !== undefined && { permissionMode }) });
  await expect('working', { by: ['ready'] });
  return { seat, asked: await expect(what) };
}

/** It was answered: the turn continues and ends by itself. */
async function goesOn({ expect, stays }: Stage): Promise<void> {
  await expect('working');
  await expect('waiting/stopped');
  await stays('waiting/stopped', 500);
}

function escape(name: string, prompt: string, what: string, dialog: string, mode?: string): Scenario {
  return {
    name,
    run: async stage => {
      const { seat } = await asking(stage, prompt, what, mode);
      await shows(seat, dialog);
      await seat.press('Escape');
      await stage.expect('waiting/interrupted');
      await stage.stays('waiting/interrupted', 700);
    },
  };
}

/** A session whose MCP server asks the user something. */
async function askedByServer(stage: Stage): Promise<Seat> {
  const { world, expect } = stage;
  const listed = join(world.root, 'tools-listed');
  const seat = await world.claude({ args: elicitationArgs('rig', true, listed) });
  await expect('ready');
  await seat.ready();
  // A prompt that is submitted before is answered without the tool.
  await until(
    10_000,
    () => 'the CLI has not asked for the tools of the MCP server',
    () => existsSync(listed) || undefined,
  );
  await seat.type('LINGER 400 MCP rig ask');
  await expect('working');
  const asked = await expect('waiting/elicitation');
  must(asked.detail?.line.includes('Which colour?') === true, 'what it asks', asked.detail);
  return seat;
}
