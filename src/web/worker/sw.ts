/**
 * The service worker: it keeps the files of the page, so that the page opens without a connection and says so. It stores
 * nothing else, and prefers the network, so that nobody sees an old page while the daemon answers. It also shows push
 * notifications.
 */
import { type NotificationWorker, showNotifications } from './notifications.ts';
import { open } from '../daemon/call.ts';
import { filesToStore, isChunk, isShell } from './shell.ts';

const cacheName = 'drover-page';
/** A network that does not answer for this long is treated as none, ms. */
const patience = 4_000;

interface WorkerEvent extends Event {
  waitUntil: (work: Promise<unknown>) => void;
}

interface FetchEvent extends WorkerEvent {
  request: Request;
  respondWith: (response: Promise<Response>) => void;
}

/** What the worker uses of its global scope; the types of the page know only windows. */
const worker = globalThis as unknown as {
  addEventListener: (name: string, listener: (event: FetchEvent) => void) => void;
  skipWaiting: () => Promise<void>;
  clients: { claim: () => Promise<void> };
};

worker.addEventListener('install', event => event.waitUntil(install()));
worker.addEventListener('activate', event => event.waitUntil(activate()));
worker.addEventListener('fetch', event => {
  const { method, url } = event.request;
  if (method !== 'GET') return;
  if (isShell(url, location.origin)) event.respondWith(answer(event));
  else if (isChunk(url, location.origin)) event.respondWith(answerChunk(event));
});
showNotifications(globalThis as unknown as NotificationWorker, (path, body) => open('POST', path, body));

async function install(): Promise<void> {
  const cache = await caches.open(cacheName);
  await cache.addAll(filesToStore());
  await worker.skipWaiting();
}

/** Deletes the chunks of earlier versions. */
async function activate(): Promise<void> {
  const cache = await caches.open(cacheName);
  const wanted = filesToStore();
  for (const { url } of await cache.keys())
    if (!wanted.includes(new URL(url).pathname)) await cache.delete(url);
  await worker.clients.claim();
}

async function answer(event: FetchEvent): Promise<Response> {
  const { pathname } = new URL(event.request.url);
  const fresh = fetch(event.request).then(response => {
    if (response.ok) event.waitUntil(store(pathname, response.clone()));
    return response;
  });
  const late = new Promise<undefined>(resolve => setTimeout(resolve, patience));
  const first = await Promise.race([fresh.catch(() => undefined), late]);
  return first ?? (await caches.match(pathname)) ?? fresh;
}

/** A chunk is taken from the cache first: there is only one version of it. */
async function answerChunk(event: FetchEvent): Promise<Response> {
  const { pathname } = new URL(event.request.url);
  const stored = await caches.match(pathname);
  if (stored) return stored;
  const response = await fetch(event.request);
  if (response.ok) event.waitUntil(store(pathname, response.clone()));
  return response;
}

async function store(pathname: string, response: Response): Promise<void> {
  const cache = await caches.open(cacheName);
  await cache.put(pathname, response);
}
