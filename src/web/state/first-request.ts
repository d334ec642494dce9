/** On a phone the page opens on the oldest request that blocks a session. */
import { useEffect, useRef } from 'react';
import type { Link } from '../../client/board.ts';

/** Opens it once, when the sessions are first known and the address names none. */
export const useFirstRequest = (link: Link, isAtList: boolean, first: string | undefined): void => {
  const isDecided = useRef(false);
  useEffect(() => {
    if (link !== 'live' || isDecided.current) return;
    isDecided.current = true;
    if (isAtList && first !== undefined && matchMedia('(max-width: 820px)').matches)
      location.hash = `#/s/${first}`;
  }, [link, isAtList, first]);
};
