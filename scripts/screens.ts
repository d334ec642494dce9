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
    await screen.sees('3 waiting · 1 working · 1 new');
    await screen.press('j');
    await screen.sees(/> 2 .*[\s\S]*npm publish/);
    await screen.sees(/pane %\d+[\s\S]*Do you want to proceed/);
  });
  await take('answer-panel', 80, 24, board, async screen => {
    await screen.sees('3 waiting');
    await screen.press('j');
    await screen.sees(/> 2 .*[\s\S]*npm publish/);
    await screen.press('a');
    await screen.sees(/Allow Bash in blog\?[\s\S]*1\. /);
    await screen.sees('1-9 choose');
  });
  await take('board-wide', 160, 40, board, async screen => {
    await screen.sees('3 waiting');
    await screen.press('s');
    await screen.sees('1 deferred');
    await screen.press('j');
    await screen.sees(/release notes/);
  });
  const person = await attached(world, 'docs', { columns: 120, rows: 36 });
  await person.press('C-b', 'g');
  await person.sees('Enter go');
  await person.sees(/Which/);
  await person.sees(/Do you want to proceed/);
  keep('popup', await person.coloured(), 120);
  await person.press('q');
  await person.misses(/[┌┘]/);
  await person.press('C-b', 'A');
  await person.sees(/Allow Bash in blog\?[\s\S]*1\. /);
  await person.sees('1-9 choose');
  keep('answer-popup', await person.coloured(), 120);
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
