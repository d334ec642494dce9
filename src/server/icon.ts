/** Draws the icon of the page: a pane with a prompt, and a badge with the number of waiting sessions. */

export const iconOf = (count: number): string => {
  const label = count > 99 ? '99+' : String(Math.max(0, Math.floor(count)));
  const badge =
    label === '0'
      ? ''
      : `<circle cx="43" cy="21" r="20" fill="#e5484d"/><text x="43" y="${label.length > 2 ? 28 : 30}" font-family="system-ui,sans-serif" font-weight="700" font-size="${[28, 26, 19][label.length - 1] ?? 19}" text-anchor="middle" fill="#fff">${label}</text>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><rect x="2" y="6" width="60" height="54" rx="13" fill="#20242c"/><path d="M15 26l11 10-11 10" fill="none" stroke="#f2b84b" stroke-width="7" stroke-linecap="round" stroke-linejoin="round"/><path d="M33 47h16" stroke="#e8eaee" stroke-width="7" stroke-linecap="round"/>${badge}</svg>`;
};
