/** How far keys scroll a long text. */

/** Lines that a key scrolls by. In a text field letters do not scroll. */
export const scrollStep = (key: string, page: number, isWriting: boolean): number => {
  const far = Number.MAX_SAFE_INTEGER / 2;
  const steps: Record<string, number> = {
    down: 1,
    up: -1,
    pagedown: page,
    pageup: -page,
    half: Math.ceil(page / 2),
    'half-back': -Math.ceil(page / 2),
    end: far,
    home: -far,
  };
  return steps[isWriting ? key : (letters[key] ?? key)] ?? 0;
};

const letters: Record<string, string> = {
  j: 'down',
  J: 'down',
  k: 'up',
  K: 'up',
  ' ': 'pagedown',
  'ctrl-d': 'half',
  'ctrl-u': 'half-back',
  g: 'home',
  G: 'end',
};
