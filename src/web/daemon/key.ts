/**
 * The key of this tab, sent with the cookie; pages on other ports cannot read it. It ends with the tab, but a paired device
 * keeps it.
 */
const name = 'drover-key';

export const keyOf = (): string | null => sessionStorage.getItem(name) ?? localStorage.getItem(name);

export const storeKey = (key: string, isDevice: boolean): void =>
  (isDevice ? localStorage : sessionStorage).setItem(name, key);

export const forgetKey = (): void => {
  sessionStorage.removeItem(name);
  localStorage.removeItem(name);
};
