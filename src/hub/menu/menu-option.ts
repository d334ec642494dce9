/** Finds options in a menu, and compares menus. */
import type { Menu, MenuOption } from '../../claude/screen/menu.ts';
import { DroverError } from '../../contract/error.ts';

/** Finds an option by its number, its label, or the beginning of one label. */
export const findOption = (menu: Menu, named: number | string): MenuOption => {
  const found =
    typeof named === 'number'
      ? menu.options.filter(({ number }) => number === named)
      : byLabel(menu.options, named);
  if (found.length === 1) return found[0] as MenuOption;
  const what = typeof named === 'number' ? `option ${named}` : `single option ${JSON.stringify(named)}`;
  throw new DroverError('refused', `The menu has no ${what}.`, optionsHint(menu));
};

const byLabel = (options: MenuOption[], named: string): MenuOption[] => {
  const wanted = named.trim().toLowerCase();
  const same = options.filter(({ label }) => label.toLowerCase() === wanted);
  return same.length ? same : options.filter(({ label }) => label.toLowerCase().startsWith(wanted));
};

/** Whether it is the same dialog, whichever option is selected. */
export const isSameMenu = (a: Menu, b: Menu): boolean =>
  a.head === b.head &&
  a.options.length === b.options.length &&
  a.options.every(({ number, label }, n) => number === b.options[n]?.number && label === b.options[n]?.label);

export const isSelected = ({ options }: Menu, index: number): boolean => options[index]?.selected === true;

/** The position of an option; throws when it is gone. */
export const indexOfOption = (menu: Menu, wanted: MenuOption): number => {
  const at = menu.options.findIndex(
    ({ number, label }) => number === wanted.number && label === wanted.label,
  );
  if (at < 0) throw menuChangedError(menu);
  return at;
};

/** A hint that lists the options. */
export const optionsHint = ({ options }: Menu): string =>
  `It has ${options.map(({ number, label }) => (number === null ? label : `${number}. ${label}`)).join(', ')}.`;

/** The error when somebody else answered or the CLI continued. */
export const menuChangedError = ({ title }: Menu): DroverError =>
  new DroverError(
    'refused',
    `The screen changed while ${JSON.stringify(title ?? 'the menu')} was being answered; no more keys were pressed.`,
    'See the screen with `drover menu <session> snapshot`.',
  );
