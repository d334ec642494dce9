/** The token of the MCP server: made by `setup --mcp`, kept in mcp.json, removed with it. */
import { mkdirSync, rmSync } from 'node:fs';
import { call as ask } from '../../client/call.ts';
import { DroverError } from '../../contract/error.ts';
import type { Right } from '../../contract/rights.ts';
import { type McpGrant, readGrant } from '../../mcp/daemon.ts';
import type { Paths } from '../../paths.ts';
import { writePrivate } from '../../files/private-file.ts';
import { sha256 } from '../../sha256.ts';
import { addToken, readTokens, removeToken } from '../../files/token-file.ts';
import { tryDaemonFirst } from '../try-daemon-first.ts';
import type { Call } from '../verb.ts';

const tokenName = 'drover-mcp';

/** Gives the server a token with exactly these rights. Returns whether anything changed. */
export const grantMcp = async (call: Call, rights: Right[]): Promise<boolean> => {
  const { paths } = call;
  const kept = readGrant(paths);
  if (kept && isValidGrant(paths, kept) && kept.rights.join() === rights.join()) return false;
  await revokeMcp(call);
  mkdirSync(paths.home, { recursive: true, mode: 0o700 });
  const body = { name: tokenName, rights };
  const { token } = await tryDaemonFirst(call, ask(paths, 'addToken', { body }), () =>
    addToken(paths.tokens, body, Date.now()),
  );
  write(paths, { name: tokenName, token, rights, ...(kept?.configDirs && { configDirs: kept.configDirs }) });
  return true;
};

/** Notes where the server is registered. */
export const noteRegistration = (paths: Paths, configDir: string): void => {
  const grant = readGrant(paths);
  if (grant) write(paths, { ...grant, configDirs: [...new Set([...configDirsOf(grant), configDir])] });
};

/** Where the server was registered, as CLAUDE_CONFIG_DIR says it. */
export const configDirsOf = (grant: McpGrant | null): string[] =>
  Array.isArray(grant?.configDirs) ? grant.configDirs.filter(dir => typeof dir === 'string') : [];

const write = (paths: Paths, grant: McpGrant): void =>
  writePrivate(paths.mcp, `${JSON.stringify(grant, null, 2)}\n`);

/** Removes the token. Returns whether there was one. Without mcp.json a token of that name is not ours. */
export const revokeMcp = async (call: Call): Promise<boolean> => {
  const { paths } = call;
  const had =
    readGrant(paths)?.name === tokenName && readTokens(paths.tokens).some(({ name }) => name === tokenName);
  if (had)
    await tryDaemonFirst(call, ask(paths, 'removeToken', { id: tokenName }), () =>
      removeToken(paths.tokens, tokenName),
    ).catch(ignoreGone);
  rmSync(paths.mcp, { force: true });
  return had;
};

/** Whether the daemon accepts the kept secret, which `drover token rotate` replaces. */
export const isValidGrant = (paths: Paths, { name, token, rights }: McpGrant): boolean =>
  readTokens(paths.tokens).some(
    kept => kept.name === name && kept.hash === sha256(token) && kept.rights.join() === rights.join(),
  );

const ignoreGone = (error: unknown): void => {
  if (!(error instanceof DroverError && error.code === 'no_token')) throw error;
};
