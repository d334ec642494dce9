/** The choices that the dialog of a request offers on the screen, each with the option that it means. Pure. */
import { permissionOptions, planOptions, setsMode } from '../../claude/screen/dialog-options.ts';
import { fieldsOf } from '../../claude/screen/form.ts';
import { startupEffect } from '../../claude/startup-effects.ts';
import type { Choice } from '../../contract/answer.ts';
import { type Notice, noticeOf } from '../../claude/screen/notice.ts';
import { ruleText } from './rule-text.ts';
import type { Asked } from './screen-match.ts';
import { menuIn, type Seen } from './terminal-screen.ts';

export interface ChoiceOnScreen {
  choice: Choice;
  /** The position of its option; null where it is not an option. */
  index: number | null;
  /** The key that makes it, in a notice without options. */
  key?: Notice['keys'][number]['key'];
  /** The label of its option. */
  label: string;
}

/** What can be chosen in the dialog of this request, which the screen shows. `version` is that of the CLI. */
export const choicesOn = (seen: Seen, asked: Asked, version: string | null): ChoiceOnScreen[] => {
  switch (asked.kind) {
    case 'permission':
      return permissionChoices(seen, asked, version);
    case 'plan':
      return planChoices(seen);
    case 'question':
      return [
        { choice: { choice: 'answer', label: 'Answer', effect: 'answer' }, index: null, label: '' },
        { choice: { choice: 'deny', label: 'Decline to answer', effect: 'deny' }, index: null, label: '' },
      ];
    case 'elicitation':
      return formChoices(asked);
    case 'dialog':
      return startupChoices(seen, asked);
    default:
      return [];
  }
};

const permissionChoices = (
  { dialog }: Seen,
  { payload }: Asked,
  version: string | null,
): ChoiceOnScreen[] => {
  if (!dialog) return [];
  const suggestions = Array.isArray(payload?.permission_suggestions) ? payload.permission_suggestions : [];
  const rulesOf = (label: string): unknown[] =>
    setsMode(label, version) ? suggestions : suggestions.filter(one => Object(one).type !== 'setMode');
  return permissionOptions(dialog).map(({ choice, effect, index, label }) => ({
    choice: {
      choice,
      effect,
      label: permissionLabels[choice] ?? label,
      ...(choice === 'allow_always' && { rule: ruleText(rulesOf(label)) || ruleOf(label) }),
      ...(effect === 'deny' && { takesMessage: true }),
    },
    index,
    label,
  }));
};

const permissionLabels: { [choice: string]: string | undefined } = {
  allow: 'Allow once',
  allow_always: "Allow and don't ask again",
  allow_auto_mode: 'Allow and switch to auto mode',
  deny: 'Deny',
};

/** The rule as the dialog words it. */
const ruleOf = (label: string): string =>
  label.replace(/^Yes, (?:and )?/, '').replace(/ \(shift\+tab\)$/, '');

const planChoices = ({ dialog }: Seen): ChoiceOnScreen[] =>
  (dialog ? planOptions(dialog) : []).map(({ choice, effect, index, label }) => ({
    choice: {
      choice,
      effect,
      label: choice === 'keep_planning' ? 'Keep planning' : label,
      ...(choice === 'keep_planning' && { takesMessage: true }),
    },
    index,
    label,
  }));

const formChoices = ({ payload }: Asked): ChoiceOnScreen[] => {
  const fields = payload === null ? [] : fieldsOf(payload);
  const canFill =
    payload !== null && fields.every(({ isText, options, isRequired }) => isText || options || !isRequired);
  const accept: Choice = {
    choice: 'accept',
    label: 'Accept',
    effect: 'answer',
    fields: fields
      .filter(({ isText, options }) => isText || options)
      .map(({ name, title, isRequired, options }) => ({
        name,
        label: title,
        isRequired,
        ...(options && { options: options.map(({ label }) => label) }),
      })),
  };
  return [
    ...(canFill ? [{ choice: accept, index: null, label: 'Accept' }] : []),
    { choice: { choice: 'decline', label: 'Decline', effect: 'deny' }, index: null, label: 'Decline' },
    { choice: { choice: 'cancel', label: 'Cancel', effect: 'deny' }, index: null, label: 'Cancel' },
  ];
};

const startupChoices = (seen: Seen, { line, payload }: Asked): ChoiceOnScreen[] => {
  const notice = noticeOf(seen.pane.rows, seen.pane.width);
  if (notice) return noticeChoices(notice);
  const options = menuIn(seen)?.options ?? [];
  const dir = typeof payload?.cwd === 'string' ? payload.cwd : null;
  return options.map(({ label: shown }, index) => {
    const label = shown.replace(/^✔\s*|\s*✔$/g, '');
    const confirm = startupEffect(line, label, dir);
    const effect = /^(?:No|Exit)\b/.test(label) ? 'deny' : 'allow';
    return { choice: { choice: `startup:${index + 1}`, label, effect, confirm }, index, label: shown };
  });
};

/** A person confirms the words of the notice itself. */
const noticeChoices = ({ title, keys }: Notice): ChoiceOnScreen[] =>
  keys.map(({ key, label: shown }) => {
    const label = shown.charAt(0).toUpperCase() + shown.slice(1);
    const confirm = `“${title}”: Claude Code will take this as “${label}”.`;
    const effect = key === 'Escape' ? 'deny' : 'allow';
    return { choice: { choice: noticeNames[key], label, effect, confirm }, index: null, key, label };
  });

const noticeNames = { Enter: 'notice:enter', BTab: 'notice:shift+tab', Escape: 'notice:esc' } as const;
