/** What this tab holds beside the cookie: gone with the tab, unseen by every other port of this machine. */
const name = 'drover-key';

export const keyOf = (): string | null => sessionStorage.getItem(name);
export const holdKey = (key: string): void => sessionStorage.setItem(name, key);
export const forgetKey = (): void => sessionStorage.removeItem(name);
