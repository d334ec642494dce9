/** The complete input of a request in one scrolling region, and whether its end was visible: only then it can be allowed. */
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { boardLimits } from '../../board-limits.ts';
import './complete-request.css';

interface Props {
  reading: Reading;
  /** The region gets the focus when it is shown. */
  autoFocus?: boolean;
  children: ReactNode;
}

export interface Reading {
  region: RefObject<HTMLDivElement | null>;
  end: RefObject<HTMLDivElement | null>;
  isRead: boolean;
}

export const CompleteRequest = ({ reading: { region, end }, autoFocus = false, children }: Props) => (
  <div
    className="complete"
    ref={region}
    tabIndex={0}
    role="region"
    aria-label="Complete request"
    autoFocus={autoFocus}
  >
    {children}
    <div className="end" ref={end} />
  </div>
);

/** Says why a request cannot be allowed yet. */
export const ScrollFirst = () => <p className="aim">Scroll to the end of the request to allow it.</p>;

/** Observes whether the end of the complete request has been on the screen, for long enough that a click or Enter was meant for it. */
export const useReading = (isLoaded: boolean): Reading => {
  const region = useRef<HTMLDivElement>(null);
  const end = useRef<HTMLDivElement>(null);
  const [isRead, setRead] = useState(false);
  useEffect(() => {
    if (!isLoaded || isRead || !end.current) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    // Clipped by the region and by the window: the end must be visible in both.
    const observer = new IntersectionObserver(found => {
      clearTimeout(timer);
      if (found.at(-1)?.isIntersecting) timer = setTimeout(() => setRead(true), boardLimits.confirmDelay);
    });
    observer.observe(end.current);
    return () => {
      observer.disconnect();
      clearTimeout(timer);
    };
  }, [isLoaded, isRead]);
  return { region, end, isRead };
};
