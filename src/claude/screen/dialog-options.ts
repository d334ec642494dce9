/** What the options of a permission or plan dialog mean, by their labels, which differ between versions. */
import type { Dialog } from './dialog.ts';
import { compareVersions } from '../../contract/cli-version.ts';

export interface DialogOption {
  /** The name of the choice, such as `allow_always` or `plan:default`. */
  choice: string;
  effect: 'allow' | 'deny';
  /** Its position among the options. */
  index: number;
  /** Its complete label. */
  label: string;
}

/** The options of a permission dialog; empty when it is not as expected, such as while somebody types into an option. */
export const permissionOptions = ({ labels }: Dialog): DialogOption[] => {
  // While a person adds a note, "Yes" is a text field, and the meaning of the other options is not certain. Auto mode without a check
  // asks with "No" and "Yes", in this order.
  const isKnown = labels[0] === 'Yes' || (labels[0] === 'No' && labels[1] === 'Yes' && labels.length === 2);
  if (!isKnown || labels.some(label => !permissionOf(label))) return [];
  const options = named(labels, permissionOf);
  // A low pane may show only the first options.
  return options.some(({ choice }) => choice === 'deny') ? options : [];
};

/** The options of a plan dialog. */
export const planOptions = ({ labels }: Dialog): DialogOption[] => named(labels, planOf);

/**
 * Whether "always allow access to …" also changes the permission mode, as the event suggests. 2.1.197 does; 2.1.325 only adds the
 * folder when the option is chosen in the dialog, and asks about the next command again.
 */
export const setsMode = (label: string, version: string | null): boolean =>
  !label.startsWith('Yes, and always allow access to ') ||
  version === null ||
  compareVersions(version, '2.1.325') < 0;

const permissionOf = (label: string): string | null => {
  if (label === 'Yes') return 'allow';
  if (/^No(?:, and tell Claude what to do differently(?: \(esc\))?)?$/.test(label)) return 'deny';
  if (/^Yes, and switch to auto mode\b/.test(label)) return 'allow_auto_mode';
  return /^Yes, (?:and )?(?:don['’]t ask again|always allow|allow|switch to accept edits)\b/.test(label)
    ? 'allow_always'
    : null;
};

const planOf = (label: string): string | null => {
  if (/^Tell Claude what to change|^No\b/.test(label)) return 'keep_planning';
  if (!/^Yes\b/.test(label)) return null;
  const clear = /clear context/i.test(label) ? 'clear:' : '';
  const mode = planModes.find(([pattern]) => pattern.test(label))?.[1];
  return `plan:${clear}${mode ?? label.toLowerCase().replace(/[^a-z]+/g, '_')}`;
};

const planModes: [RegExp, string][] = [
  [/auto mode/i, 'auto'],
  [/auto-accept|accept edits/i, 'acceptEdits'],
  [/bypass/i, 'bypassPermissions'],
  [/manually/i, 'default'],
];

/** Every label with its choice. A second label with the same meaning gets a number, so that each choice means one option. */
const named = (labels: string[], nameOf: (label: string) => string | null): DialogOption[] => {
  const seen = new Map<string, number>();
  return labels.flatMap((label, index) => {
    const name = nameOf(label);
    if (name === null) return [];
    const count = (seen.get(name) ?? 0) + 1;
    seen.set(name, count);
    const effect = name === 'deny' || name === 'keep_planning' ? ('deny' as const) : ('allow' as const);
    return [{ choice: count === 1 ? name : `${name}:${count}`, effect, index, label }];
  });
};
