/** `npm run icons`: the icons of the installed page, drawn from the icon of the tab by a real Chromium. */
import { writeFileSync } from 'node:fs';
import { iconOf } from '../src/server/icon.ts';
import { openBrowser } from '../test/rig/browser.ts';
import { openWorld } from '../test/rig/world.ts';
import { paletted } from './png.ts';

const world = await openWorld({ version: '2.1.197' });
try {
  for (const size of [192, 512]) {
    const { page } = await openBrowser(world, { viewport: { width: size, height: size } });
    const tab = await page();
    // Systems cut icons to their own shapes: the drawing keeps to the middle, and the background fills the rest.
    await tab.setContent(
      `<style>body{margin:0;background:#20242c;display:grid;place-items:center;height:100vh}svg{width:72%}</style>${iconOf(0)}`,
    );
    writeFileSync(`src/web/icon-${size}.png`, paletted(await tab.screenshot()));
  }
} finally {
  await world.close();
}
