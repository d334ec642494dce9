/** From a hook that fires to a subscriber that has it. */
import { handlerFor } from '../src/hook/install/command.ts';
import { fire } from './emitter.ts';
import { ms, percentile, type Row } from './figures.ts';
import { readers } from './reader.ts';
import { openWorld } from './world.ts';

const rate = 100;
const seconds = 10;

export const pathRows = async (): Promise<Row[]> => {
  const world = openWorld();
  const daemon = await world.start();
  try {
    const fired = new Map<string, number>();
    const seen: number[] = [];
    const group = await readers(daemon, 20, data => {
      const began = fired.get((JSON.parse(data) as { n: string }).n);
      if (began !== undefined) seen.push(performance.now() - began);
    });
    const command = handlerFor('PostToolUse', world.env).command;
    const running: Promise<number>[] = [];
    const start = performance.now();
    for (let n = 0; n < rate * seconds; n++) {
      const due = start + (n * 1000) / rate;
      await new Promise(done => setTimeout(done, Math.max(0, due - performance.now())));
      fired.set(String(n), performance.now());
      running.push(
        fire(
          command,
          `${JSON.stringify({ session_id: `5eed000${n % 5}`, hook_event_name: 'PostToolUse', n: String(n) })}\n`,
          world.env,
        ),
      );
    }
    await Promise.all(running);
    await group.have(20 * rate * seconds);
    group.close();
    const [p50, p99] = [percentile(seen, 50), percentile(seen, 99)];
    return [
      {
        what: `hook fired -> SSE subscriber has it, ${rate} events/s, 20 subscribers (${seen.length} deliveries)`,
        target: 'p50 <= 10 ms, p99 <= 50 ms',
        seen: `p50 ${ms(p50)}, p99 ${ms(p99)}`,
        met: p50 <= 10 && p99 <= 50 && seen.length === 20 * rate * seconds,
      },
    ];
  } finally {
    await daemon.stop();
    world.close();
  }
};
