/** Keys of the browser, translated to those of the board. */
import { type RefObject, useEffect } from 'react';
import { commandOf } from '../../client/board.ts';
import type { Actions } from './actions.ts';
import type { PageStore } from './store.ts';

export const useKeys = (
  store: PageStore,
  actions: Actions,
  filterField: RefObject<HTMLInputElement | null>,
): void => {
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const key = keyOf(event);
      // An open dialog has its own keys, also while its form is being loaded.
      const isBlocked = document.querySelector('dialog[open], .loading-form') !== null;
      if (key === null || event.defaultPrevented || isBlocked) return;
      const { place, marked } = store.get();
      if (key === '?' || place === 'sessions') event.preventDefault();
      if (key === '?') actions.press('?');
      if (place !== 'sessions') return;
      const command = commandOf(key);
      if (key === '/') filterField.current?.focus();
      else if (key === 'escape' && marked.size > 0) actions.unmark();
      else if (command !== null && actions.run(command)) return;
      else if (key !== '?') actions.press(key);
      if (/^(?:[jkgG1-9]|up|down|home|end|page.*|ctrl-.)$/.test(key)) showSelected();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [store, actions, filterField]);
};

/** Scrolls to the selected row, and focuses it if another row had the focus. The filter field keeps it. */
const showSelected = (): void => {
  requestAnimationFrame(() => {
    const row = document.querySelector<HTMLElement>('.row[aria-current=true]');
    row?.scrollIntoView({ block: 'nearest' });
    if (document.activeElement?.closest('[data-row]')) row?.focus({ preventScroll: true });
  });
};

const named: Record<string, string> = {
  Enter: 'enter',
  Escape: 'escape',
  ArrowUp: 'up',
  ArrowDown: 'down',
  PageUp: 'pageup',
  PageDown: 'pagedown',
  Home: 'home',
  End: 'end',
};

const moves = /^(?:[jk]|Arrow(?:Up|Down)|Page(?:Up|Down))$/;

/** The board's name of a key; null where it belongs to the browser or to the focused element. */
const keyOf = (event: KeyboardEvent): string | null => {
  const { key, target } = event;
  // A key that is held down only moves the selection.
  if (event.repeat && !(event.ctrlKey ? /^[du]$/ : moves).test(key)) return null;
  if (event.metaKey || event.altKey || event.isComposing) return null;
  if (event.ctrlKey) return key === 'd' || key === 'u' ? (isField(target) ? null : `ctrl-${key}`) : null;
  if (isField(target)) return null;
  // Tab moves the focus, as on every page; `n` goes to the next session in the queue.
  if (key === 'n') return 'tab';
  if (key in named) return isControl(target) && key !== 'Escape' ? null : (named[key] as string);
  // The page opens other requests by their cards.
  if (key === ' ') return isControl(target) || isScrolled(target) ? null : key;
  return key.length === 1 && !'[]'.includes(key) ? key : null;
};

const isField = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (/^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName) || target.isContentEditable);

/** Text that Space scrolls. */
const isScrolled = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.closest('[role=region][tabindex], pre[tabindex]') !== null;

/** Elements with their own use for Enter and arrows. Rows have none, so there the keys belong to the board. */
const isControl = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.closest('button, a:not([data-row]), summary, [role=tab]') !== null;
