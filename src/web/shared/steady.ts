/** Buttons that have just appeared or moved are disabled for a moment: a click may have been meant for what was there before. */
import { type KeyboardEvent, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';

/** Longer than it takes to stop a click, ms. */
const handTime = 350;

/** Whether an element has not moved for long enough to be clicked on purpose. */
export const useSteady = (element: RefObject<HTMLElement | null>): boolean => {
  const place = useRef<number | null>(null);
  const [movedAt, setMovedAt] = useState(0);
  const [isSteady, setSteady] = useState(false);
  // Every move is caused by some render.
  useLayoutEffect(() => {
    const now = element.current && placeOf(element.current);
    if (now === place.current) return;
    place.current = now;
    setSteady(false);
    setMovedAt(performance.now());
  });
  useEffect(() => {
    const timer = setTimeout(() => setSteady(true), handTime);
    return () => clearTimeout(timer);
  }, [movedAt]);
  return isSteady;
};

/** The distance from the top of the page, independent of scrolling. */
const placeOf = (element: HTMLElement): number => {
  let { top } = element.getBoundingClientRect();
  for (let outer = element.parentElement; outer; outer = outer.parentElement) top += outer.scrollTop;
  return Math.round(top);
};

/** Ignores Enter and space that are held down: they were meant for what was there before. */
export const ignoreHeldKey = (event: KeyboardEvent): void => {
  if (event.repeat && (event.key === 'Enter' || event.key === ' ')) event.preventDefault();
};
