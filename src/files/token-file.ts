/** The token files of DROVER_HOME: `token` holds the owner's token, `tokens.json` the hashes of named ones. */
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { DroverError } from '../contract/error.ts';
import type { AddToken, NewToken, Token } from '../contract/token.ts';
import { limits } from '../limits.ts';
import { writePrivate } from './private-file.ts';
import { sha256 } from '../sha256.ts';
import { readText } from './read-text.ts';

export interface KeptToken extends Token {
  /** sha256 of the token, in hex. */
  hash: string;
}

/** Creates a token: random, with no meaning in it. */
export const newSecret = (): string => randomBytes(32).toString('base64url');

/** Reads the owner's token; creates it the first time. */
export const ensureToken = (file: string): string => {
  try {
    const kept = readFileSync(file, 'utf8').trim();
    if (kept.length >= 20) return kept;
  } catch {
    /* not there yet */
  }
  return newToken(file);
};

/** Replaces the owner's token. */
export const newToken = (file: string): string => {
  const token = newSecret();
  writePrivate(file, `${token}\n`);
  return token;
};

/** Reads the named tokens; throws when the file is damaged. */
export const readTokens = (file: string): KeptToken[] => {
  const text = readText(file);
  if (text === null) return [];
  try {
    const { tokens } = JSON.parse(text) as { tokens: KeptToken[] };
    return tokens.filter(({ name, hash, rights }) => name && hash && Array.isArray(rights));
  } catch {
    throw new DroverError(
      'failed',
      `${file} is damaged.`,
      'Repair it, or delete it to revoke every named token.',
    );
  }
};

/** Adds a token and returns it with its secret, which is not kept. */
export const addToken = (file: string, { name, rights }: AddToken, now: number): NewToken => {
  const kept = readTokens(file);
  if (kept.some(token => token.name === name))
    throw new DroverError(
      'refused',
      `There is already a token ${name}.`,
      `\`drover token rm ${name}\` removes it, \`drover token rotate ${name}\` replaces its secret.`,
    );
  if (kept.length >= limits.page.namedTokens)
    throw new DroverError('refused', `There are already ${kept.length} tokens.`, 'Remove one first.');
  const token = newSecret();
  const entry = { name, rights: [...new Set(rights)], createdAt: now, usedAt: null };
  writeTokens(file, [...kept, { ...entry, hash: sha256(token) }]);
  return { ...entry, token };
};

export const removeToken = (file: string, name: string): Token => {
  const kept = readTokens(file);
  const token = existing(kept, name);
  writeTokens(
    file,
    kept.filter(other => other !== token),
  );
  return shownToken(token);
};

/** Replaces the secret of a token; name and rights stay. */
export const renewToken = (file: string, name: string, now: number): NewToken => {
  const kept = readTokens(file);
  const token = existing(kept, name);
  const secret = newSecret();
  const renewed = { ...token, hash: sha256(secret), createdAt: now, usedAt: null };
  writeTokens(
    file,
    kept.map(other => (other === token ? renewed : other)),
  );
  return { ...shownToken(renewed), token: secret };
};

/** A token as it is shown: without its hash. */
export const shownToken = ({ name, rights, createdAt, usedAt }: KeptToken): Token => ({
  name,
  rights,
  createdAt,
  usedAt,
});

export const writeTokens = (file: string, tokens: KeptToken[]): void =>
  writePrivate(file, `${JSON.stringify({ tokens }, null, 2)}\n`);

const existing = (tokens: KeptToken[], name: string): KeptToken => {
  const token = tokens.find(other => other.name === name);
  if (!token) throw new DroverError('no_token', `There is no token ${name}.`);
  return token;
};
