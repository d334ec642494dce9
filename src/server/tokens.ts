/**
 * The tokens that the daemon accepts: the owner's, and the named ones of tokens.json. The file is checked on every use and
 * read again when it has changed, so an edit by hand takes effect at once.
 */
import { statSync } from 'node:fs';
import type { Clock } from '../clock.ts';
import { ownerName } from '../contract/caller.ts';
import type { Right } from '../contract/rights.ts';
import type { AddToken, NewToken, Token } from '../contract/token.ts';
import type { Paths } from '../paths.ts';
import { sha256 } from '../sha256.ts';
import {
  addToken,
  ensureToken,
  type KeptToken,
  newToken,
  readTokens,
  removeToken,
  renewToken,
  shownToken,
  writeTokens,
} from '../files/token-file.ts';

export interface TokenHolder {
  name: string;
  rights: readonly Right[];
}

export class Tokens {
  private owner: string;
  private named: KeptToken[] = [];
  private stamp = '';

  constructor(
    private readonly paths: Pick<Paths, 'token' | 'tokens'>,
    private readonly clock: Clock,
    private readonly onError: (message: string, error: unknown) => void,
  ) {
    this.owner = sha256(ensureToken(paths.token));
  }

  /** Returns the holder of a token; null when it is not valid. Looked up by hash, so that timing says nothing about the token. */
  find(given: string): TokenHolder | null {
    const hash = sha256(given);
    if (hash === this.owner) return { name: ownerName, rights: ['admin'] };
    const found = this.read().find(token => token.hash === hash);
    if (!found) return null;
    this.noteUse(found);
    return found;
  }

  list(): Token[] {
    return readTokens(this.paths.tokens).map(shownToken);
  }

  add(token: AddToken): NewToken {
    return addToken(this.paths.tokens, token, this.clock.now());
  }

  remove(name: string): Token {
    return removeToken(this.paths.tokens, name);
  }

  renew(name: string): NewToken {
    return renewToken(this.paths.tokens, name, this.clock.now());
  }

  renewOwner(): void {
    this.owner = sha256(newToken(this.paths.token));
  }

  private read(): KeptToken[] {
    const stats = statSync(this.paths.tokens, { throwIfNoEntry: false, bigint: true });
    const stamp = stats ? `${stats.ino} ${stats.size} ${stats.mtimeNs}` : '';
    if (stamp === this.stamp) return this.named;
    this.stamp = stamp;
    try {
      this.named = readTokens(this.paths.tokens);
    } catch (error) {
      this.named = [];
      this.onError('Could not read the named tokens; none is accepted', error);
    }
    return this.named;
  }

  /** Rounded to the minute, so that a busy program costs one write a minute. */
  private noteUse(token: KeptToken): void {
    const minute = Math.floor(this.clock.now() / 60_000) * 60_000;
    if (token.usedAt === minute) return;
    token.usedAt = minute;
    try {
      writeTokens(this.paths.tokens, this.named);
    } catch (error) {
      this.onError('Could not record the last use of a token', error);
    }
  }
}
