/** Options of a menu: the one that a caller means, and whether a menu is still the same. */
import type { Menu, MenuOption } from '../../claude/menu.ts';
import { DroverError } from '../../contract/error.ts';

/** The option of a menu that a caller means, by number, by label, or by the beginning of one label. */
export const optionIn = (menu: Menu, named: number | string): MenuOption => {
  const found =
    typeof named === 'number'
      ? menu.options.filter(({ number }) => number === named)
      : byLabel(menu.options, named);
  if (found.length === 1) return found[0] as MenuOption;
  const what = typeof named === 'number' ? `option ${named}` : `one option ${JSON.stringify(named)}`;
  throw new DroverError('refused', `The menu does not have ${what}.`, theyAre(menu));
};

const byLabel = (options: MenuOption[], named: string): MenuOption[] => {
  const wanted = named.trim().toLowerCase();
  const same = options.filter(({ label }) => label.toLowerCase() === wanted);
  return same.length ? same : options.filter(({ label }) => label.toLowerCase().startsWith(wanted));
};

/** The same dialog, wherever its selection stands. */
export const isSame = (a: Menu, b: Menu): boolean =>
  a.head === b.head &&
  a.options.length === b.options.length &&
  a.options.every(({ number, label }, n) => number === b.options[n]?.number && label === b.options[n]?.label);

export const isAt = ({ options }: Menu, index: number): boolean => options[index]?.selected === true;

/** Where an option stands; throws when it is gone. */
export const indexOf = (menu: Menu, wanted: MenuOption): number => {
  const at = menu.options.findIndex(
    ({ number, label }) => number === wanted.number && label === wanted.label,
  );
  if (at < 0) throw changed(menu);
  return at;
};

/** The options as a hint. */
export const theyAre = ({ options }: Menu): string =>
  `It has ${options.map(({ number, label }) => (number === null ? label : `${number}. ${label}`)).join(', ')}.`;

/** Somebody else answered, or the CLI went on. */
export const changed = ({ title }: Menu): DroverError =>
  new DroverError(
    'refused',
    `The screen changed while ${JSON.stringify(title ?? 'the menu')} was being answered; nothing more was pressed.`,
    '`drover menu <session> snapshot` shows what is there.',
  );
