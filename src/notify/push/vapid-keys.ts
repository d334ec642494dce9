/** The keys of this daemon for push services, in a private file of DROVER_HOME. They are made on first use. */
import { readFileSync } from 'node:fs';
import { writePrivate } from '../../files/private-file.ts';
import type { VapidKeys } from './encrypt.ts';

export const vapidKeys = async (file: string): Promise<VapidKeys> => {
  const stored = read(file);
  if (stored) return stored;
  const { generateKeys } = await import('./encrypt.ts');
  const keys = generateKeys();
  writePrivate(file, `${JSON.stringify(keys)}\n`);
  return keys;
};

const read = (file: string): VapidKeys | null => {
  try {
    const { publicKey, privateKey } = JSON.parse(readFileSync(file, 'utf8')) as Partial<VapidKeys>;
    return publicKey && privateKey ? { publicKey, privateKey } : null;
  } catch {
    return null;
  }
};
