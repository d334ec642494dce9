/** What a token may be called. */
export const tokenName = /^[A-Za-z0-9][A-Za-z0-9._-]{0,39}$/;
