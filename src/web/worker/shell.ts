import type { PathOf } from '../../client/route-call.ts';

/** The chunks of this build; the build script fills them in. */
declare const PAGE_CHUNKS: string[];

/** The files of the page that open without a connection. */
export const shellFiles: string[] = [
  '/',
  '/page/app.js',
  '/page/app.css',
  '/page/icon.svg',
  '/page/icon-192.png',
  '/manifest.webmanifest',
] satisfies PathOf<'pageHtml' | 'pageScript' | 'pageStyle' | 'pageIcon' | 'appIcon' | 'pageManifest'>[];

/** The files that are stored when the worker is installed. */
export const filesToStore = (): string[] => [...shellFiles, ...PAGE_CHUNKS];

/** Whether an address is one of these files, and not data of the daemon. */
export const isShell = (address: string, origin: string): boolean => {
  const url = new URL(address);
  return url.origin === origin && url.search === '' && shellFiles.includes(url.pathname);
};

/** Whether an address is a chunk. Its name changes with its content, so a stored one is never outdated. */
export const isChunk = (address: string, origin: string): boolean => {
  const url = new URL(address);
  return url.origin === origin && url.search === '' && /^\/page\/chunks\/[\w-]+\.js$/.test(url.pathname);
};
