/** Names a browser by what it says of itself: `Safari on iPhone`, `Chrome on Android`. */

export const deviceName = (userAgent: string | null): string => {
  const agent = userAgent ?? '';
  const system = systems.find(([, pattern]) => pattern.test(agent))?.[0];
  const browser = browsers.find(([, pattern]) => pattern.test(agent))?.[0] ?? 'A browser';
  return system ? `${browser} on ${system}` : browser;
};

/** Most user agents name other browsers too, so the first match counts. */
const browsers: [string, RegExp][] = [
  ['Edge', /\bEdg/],
  ['Firefox', /Firefox|FxiOS/],
  ['Samsung Internet', /SamsungBrowser/],
  ['Chrome', /Chrome|CriOS|Chromium/],
  ['Safari', /Safari/],
];

const systems: [string, RegExp][] = [
  ['iPhone', /iPhone/],
  ['iPad', /iPad/],
  ['Android', /Android/],
  ['Mac', /Mac OS X/],
  ['Windows', /Windows/],
  ['Linux', /Linux|X11/],
];
