/** Write a private file that redirects a browser to the page, so that the ticket is not visible on a command line. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { writePrivate } from './private-file.ts';

export const redirectFile = (folder: string, id: string): string => join(folder, `${id}.html`);

/** Writes the file for an address and returns its path. */
export const writeRedirect = (folder: string, id: string, address: string): string => {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = redirectFile(folder, id);
  const safe = address.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
  writePrivate(
    file,
    `<!doctype html>
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0; url=${safe}">
<title>Drover</title>
<a href="${safe}">Open Drover</a>
`,
  );
  return file;
};
