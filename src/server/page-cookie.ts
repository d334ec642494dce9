/** The cookie of a browser that is signed in. */
import { sha256 } from '../sha256.ts';
import { type Headers, headerOf } from './call.ts';

/** Cookies ignore ports, so two daemons need two names. */
const cookieName = (port: number): string => `drover-${port}`;

export const cookieOf = (headers: Headers, port: number): string | undefined =>
  headerOf(headers, 'cookie')
    ?.split(/; */)
    .find(part => part.startsWith(`${cookieName(port)}=`))
    ?.slice(cookieName(port).length + 1);

/** The value of Set-Cookie. With age 0 the browser deletes the cookie. */
export const cookieText = (port: number, value: string, age: number): string =>
  `${cookieName(port)}=${value}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${Math.round(age / 1_000)}`;

/** The name of a browser, as the audit shows it. Nothing that it holds can be learned from it. */
export const browserName = (cookie: string): string => sha256(cookie).slice(0, 8);
