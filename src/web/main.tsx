/** The page begins: in by a ticket, then live. */
import './shared/theme.css';
import './shared/base.css';
import './shared/parts.css';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { enter } from './daemon/sign-in.ts';
import { forgetKey } from './daemon/key.ts';
import { keepLink } from './daemon/link.ts';
import { PageStore } from './state/store.ts';
import { Teller } from './head/notifier.ts';

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
