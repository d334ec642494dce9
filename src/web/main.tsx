/** Starts the page: signs in with a ticket, then connects. */
import './shared/theme.css';
import './shared/base.css';
import './shared/parts.css';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { signIn } from './daemon/sign-in.ts';
import { keepLink } from './daemon/link.ts';
import { reloadNotice } from './daemon/load-chunk.ts';
import { registerServiceWorker } from './daemon/service-worker.ts';
import { NewSessionForm } from './forms/forms.tsx';
import { Markdown } from './shared/lazy-markdown.tsx';
import { PageStore } from './state/store.ts';
import { Notifier } from './head/notifier.ts';

const store = new PageStore();
const notifier = new Notifier(store);
void start();
createRoot(document.getElementById('page') as HTMLElement).render(<App store={store} notifier={notifier} />);
setInterval(() => store.tick(), 1_000);
store.setBoard({ notice: reloadNotice() });
// Needed soon: the last message is Markdown, and keys for a new session should not wait for its form.
for (const view of [Markdown, NewSessionForm])
  view.load().then(
    () => store.tick(),
    () => {},
  );
// Without one the page works as before; it only does not open without a connection.
registerServiceWorker().catch(() => {});

async function start(): Promise<void> {
  // `drover open` again in the same tab: there is another ticket in the address.
  addEventListener('hashchange', () => {
    if (location.hash.startsWith('#ticket=')) location.reload();
  });
  const isSignedIn = await signIn().catch(() => false);
  if (!isSignedIn) {
    store.set({ out: true });
    return;
  }
  await keepLink({
    onSnapshot: sessions => store.snapshot(sessions),
    onChange: sessions => store.change(sessions),
    onOrder: order => store.order(order),
    onFleet: fleet => store.fleet(fleet),
    onDown: stranger => store.down(stranger),
    // The key is kept: anybody who answers at this address can say that it is not valid.
    onSignedOut: () => store.set({ out: true }),
  });
}
