/** Buttons that have just appeared or moved: a click that was meant for what stood there before must not press them. */
import { type KeyboardEvent, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';

/** Longer than a hand needs to stop, ms. */
const handTime = 350;

/** Whether an element has stood still for long enough to be pressed on purpose. */
export const useSteady = (element: RefObject<HTMLElement | null>): boolean => {
  const place = useRef<number | null>(null);
  const [movedAt, setMovedAt] = useState(0);
  const [isSteady, setSteady] = useState(false);
  // After every render: whatever moved it was one.
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

/** How far below the top of the page it stands, however that is scrolled. */
const placeOf = (element: HTMLElement): number => {
  let { top } = element.getBoundingClientRect();
  for (let outer = element.parentElement; outer; outer = outer.parentElement) top += outer.scrollTop;
  return Math.round(top);
};

/** A key that is held down presses no button: it was meant for what was there before. */
export const ignoreHeldKey = (event: KeyboardEvent): void => {
  if (event.repeat && (event.key === 'Enter' || event.key === ' ')) event.preventDefault();
};
