/** `npm run screens`: the pictures of docs/images, taken from the real product over real sessions. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { MAIN } from '../test/rig/drover.ts';
import { attached, type Screen, screenOf } from '../test/rig/screen.ts';
import { openWorld } from '../test/rig/world.ts';
import { svgOf } from './svg.ts';

const folder = 'docs/images';
const world = await openWorld({ version: '2.1.197', projects: ['shop', 'blog', 'api', 'docs', 'site'] });
try {
  await world.drover('setup');
  await world.daemon();
  await world.tmux(['new-session', '-d', '-s', 'desk', '-x', '120', '-y', '36', 'sh']);
  await world.drover('setup', '--tmux');
  const seat = (project: string, prompt?: string) =>
    world.claude({ dir: world.dir(project), name: project, ...(prompt && { prompt }) });
  await (await seat('docs', 'SAY All 212 tests pass. Shall I write the release notes?')).sees(
    'release notes?',
  );
  await (await seat('shop', 'ASK2')).asks(/Which/);
  await (await seat('blog', 'RUN npm publish --tag next')).asks('Do you want to proceed?');
  await seat('api', 'SLEEP 600000 SAY late');
  await (await seat('site')).ready();

  const board = [process.execPath, MAIN];
  mkdirSync(folder, { recursive: true });
  await take('board', 80, 24, board, async screen => {
    await screen.sees('3 waiting · 1 working · 1 ready');
    await screen.press('j');
    await screen.sees(/> 2 .*[\s\S]*Which/);
    await screen.sees(/pane %\d+[\s\S]*Enter to select/);
  });
  await take('board-wide', 160, 40, board, async screen => {
    await screen.sees('3 waiting');
    await screen.press('s');
    await screen.sees('1 deferred');
    await screen.press('j');
    await screen.sees(/Do you want to proceed/);
  });
  const popup = await attached(world, 'docs', { columns: 120, rows: 36 });
  await popup.press('C-b', 'g');
  await popup.sees('Enter go');
  await popup.sees(/Which/);
  await popup.sees(/Enter to select/);
  keep('popup', await popup.coloured(), 120);
} finally {
  await world.close();
}

async function take(
  name: string,
  columns: number,
  rows: number,
  command: string[],
  drive: (screen: Screen) => Promise<void>,
): Promise<void> {
  const screen = await screenOf(world, command, { columns, rows });
  await drive(screen);
  keep(name, await screen.coloured(), columns);
  await screen.press('q');
}

function keep(name: string, screen: string, columns: number): void {
  writeFileSync(join(folder, `${name}.svg`), svgOf(screen, columns));
  console.log(`${folder}/${name}.svg`);
}
