/** The page begins: in by a ticket, then live. */
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { enter } from './entry.ts';
import { forgetKey } from './key.ts';
import { keepLink } from './link.ts';
import { PageStore } from './store.ts';
import { Teller } from './tell.ts';

const store = new PageStore();
const teller = new Teller(store);
void begin();
createRoot(document.getElementById('page') as HTMLElement).render(<App store={store} teller={teller} />);
setInterval(() => store.tick(), 1_000);

async function begin(): Promise<void> {
  // Another ticket in the address of a page that is open: `drover open` once more, in the same tab.
  addEventListener('hashchange', () => {
    if (location.hash.startsWith('#ticket=')) location.reload();
  });
  const may = await enter().catch(() => false);
  if (!may) {
    store.set({ out: true });
    return;
  }
  await keepLink({
    told: sessions => store.told(sessions),
    changed: sessions => store.changed(sessions),
    order: order => store.order(order),
    down: () => store.down(),
    out: () => {
      forgetKey();
      store.set({ out: true });
    },
  });
}
