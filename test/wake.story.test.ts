import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'vitest';
import { fakeAgent } from './rig/agent.ts';
import { versions } from './rig/cli.ts';
import { world } from './rig/story.ts';

describe.each(versions)('Claude Code %s', version => {
  test('try', async () => {
    const opened = await world({ version });
    const { claude, drover, daemon, droverHome } = opened;
    const agent = await fakeAgent(opened);
    const seat0 = { agent_id: 'warden', project: opened.dir(), openclaw_session_id: 'oc-1' };
    await writeFile(join(droverHome, 'config.json'), JSON.stringify({ agents: [seat0] }));
    await drover('setup');
    await daemon();
    await claude({ prompt: 'SAY hello there' });
    const first = await agent.woken(m => m.includes('response_complete'));
    console.log(first.argv.slice(0, 4), first.message);
    const seat = await claude({ prompt: 'ASK2' });
    await seat.asks('');
    console.log((await agent.woken(m => m.includes('ask_user_question'))).message);
    const s3 = await claude({ prompt: 'RUN touch x' });
    console.log((await agent.woken(m => m.includes('permission_prompt'))).message);
    await s3.asks('');
    console.log(
      (await drover('wake', 'log')).stdout,
      (await drover('wake', 'ls')).stdout,
      (await drover('wake', 'test', 'warden')).stdout,
    );
  });
});
