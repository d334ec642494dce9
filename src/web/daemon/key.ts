/** The key of this tab, sent beside the cookie. It ends with the tab, and pages on other ports cannot read it. */
const name = 'drover-key';

export const keyOf = (): string | null => sessionStorage.getItem(name);
export const storeKey = (key: string): void => sessionStorage.setItem(name, key);
export const forgetKey = (): void => sessionStorage.removeItem(name);
