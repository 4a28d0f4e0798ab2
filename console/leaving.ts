/** Asks before a page with unsaved changes is left, whatever way leads out: a link, Back, or closing the tab. */
import { useEffect, useRef } from 'preact/hooks';
import { guardMoves } from './place.js';

/**
 * @param unsaved whether there is something to lose
 * @param stays whether an address keeps what is unsaved
 * @param ask called with what leaves the page
 */
export function useLeaving(
  unsaved: boolean,
  stays: (address: string) => boolean,
  ask: (leave: () => void) => void,
): void {
  const newest = useRef({ stays, ask });
  newest.current = { stays, ask };
  useEffect(() => {
    if (!unsaved) return;
    const free = guardMoves((address, leave) => {
      if (newest.current.stays(address)) return false;
      newest.current.ask(leave);
      return true;
    });
    const closing = (event: BeforeUnloadEvent): void => event.preventDefault();
    addEventListener('beforeunload', closing);
    return () => {
      free();
      removeEventListener('beforeunload', closing);
    };
  }, [unsaved]);
}
