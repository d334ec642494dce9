/** What the status line costs, run as Claude Code runs it (`sh -c command`), against the least a status line can be. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { registerStatusLine } from '../src/hook/install/register-status-line.ts';
import { statusLineCommand } from '../src/hook/install/status-line.ts';
import { pathsAt } from '../src/paths.ts';
import { fire, script } from './emitter.ts';
import { median, ms, type Row, times } from './figures.ts';
import { openWorld } from './world.ts';

const pairs = 300;

export const statusLineRows = async (): Promise<Row[]> => {
  const world = openWorld();
  try {
    const paths = pathsAt(world.home);
    mkdirSync(paths.spool, { recursive: true });
    registerStatusLine(join(world.dir, 'settings.json'), paths, world.env);
    const own = script(world.dir, 'own.sh', 'exit 0');
    const floor = script(world.dir, 'floor.sh', 'exit 0');
    const rows: Row[] = [];
    for (const [name, command, jsonOf] of [
      ['that has not changed', statusLineCommand('', world.env), () => json(0.1)],
      ['that has changed', statusLineCommand('', world.env), (n: number) => json(n / 100)],
      ["in front of the user's own", statusLineCommand(own, world.env), () => json(0.1)],
    ] as const) {
      const seen: [number[], number[]] = [[], []];
      for (let n = -10; n < pairs; n++) {
        const empty = await fire(floor, jsonOf(n), world.env);
        const ours = await fire(command, jsonOf(n), world.env);
        if (n < 0) continue;
        seen[0].push(empty);
        seen[1].push(ours);
      }
      const [least, cost] = [median(seen[0]), median(seen[1])];
      rows.push({
        what: `status line ${name}, over one that is \`exit 0\` (both by \`sh -c\`, ${pairs} pairs)`,
        target: '<= 1.5 x',
        seen: `${times(cost / least)} (${ms(cost)} / ${ms(least)})`,
        met: cost / least <= 1.5,
      });
    }
    return rows;
  } finally {
    world.close();
  }
};

/** What Claude Code 2.1.325 sends, 1.3 KB in one line. */
const json = (cost: number): string =>
  JSON.stringify({
    session_id: '5eed0000-0000-4000-8000-000000000001',
    transcript_path: '/home/me/.claude/projects/-home-me-shop/5eed0000-0000-4000-8000-000000000001.jsonl',
    cwd: '/home/me/shop',
    effort: { level: 'medium' },
    model: { id: 'claude-opus-5-5', display_name: 'Opus 5.5' },
    workspace: { current_dir: '/home/me/shop', project_dir: '/home/me/shop', added_dirs: [] },
    version: '2.1.325',
    output_style: { name: 'default' },
    cost: {
      total_cost_usd: cost,
      total_duration_ms: 904_251,
      total_api_duration_ms: 61_034,
      total_lines_added: 120,
      total_lines_removed: 31,
    },
    context_window: {
      total_input_tokens: 32_970,
      total_output_tokens: 4_120,
      context_window_size: 1_000_000,
      current_usage: {
        input_tokens: 12,
        output_tokens: 250,
        cache_creation_input_tokens: 340,
        cache_read_input_tokens: 32_618,
      },
      used_percentage: 12,
      remaining_percentage: 88,
    },
    exceeds_200k_tokens: false,
    rate_limits: {
      five_hour: { used_percentage: 23.5, resets_at: 1_763_330_400 },
      seven_day: { used_percentage: 41.2, resets_at: 1_763_762_400 },
    },
    thinking: { enabled: true },
    fast_mode: false,
    session_name: 'Payments',
    prompt_id: '0a0a0a0a-0000-4000-8000-000000000002',
  });
