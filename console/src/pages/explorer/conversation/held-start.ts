import type { Virtualizer } from '@tanstack/react-virtual';
import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';
import type { WindowState } from './window.ts';

/**
 * Milliseconds that a run is held at its start after everything is loaded, unless the reader acts in one of
 * these ways.
 */
const HELD_MS = 2_000;
const ACTS = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const;

/**
 * Holds a newly opened run at the requested turn, or at its first one, until the reader acts: otherwise turns
 * that are measured and loaded around it would move it by more than the screen.
 *
 * @returns the requested turn, to be focused once it is on the screen
 */
export const useHeldStart = (
  { turns, opened, start }: WindowState,
  virtual: Virtualizer<HTMLDivElement, Element>,
  { feed, isLoading }: { feed: RefObject<HTMLDivElement | null>; isLoading: boolean },
): RefObject<string | undefined> => {
  const begun = useRef(0);
  const toFocus = useRef<string>(undefined);
  const held = useRef<string>(undefined);
  useLayoutEffect(() => {
    if (begun.current === opened || turns.length === 0) return;
    begun.current = opened;
    toFocus.current = start;
    held.current = (turns.find(({ id }) => id === start) ?? turns[0]!).id;
  }, [opened, turns, start]);
  useLayoutEffect(() => {
    if (held.current === undefined) return;
    const index = turns.findIndex(({ id }) => id === held.current);
    const [offset] = virtual.getOffsetForIndex(index, 'start') ?? [];
    if (offset !== undefined && Math.abs(offset - feed.current!.scrollTop) > 1)
      virtual.scrollToIndex(index, { align: 'start' });
  });
  useEffect(() => {
    const release = (): void => {
      held.current = undefined;
    };
    for (const act of ACTS) window.addEventListener(act, release, { capture: true, passive: true });
    // Some readers scroll without a key, a wheel or a finger.
    const settled = isLoading ? undefined : setTimeout(release, HELD_MS);
    return () => {
      clearTimeout(settled);
      for (const act of ACTS) window.removeEventListener(act, release, { capture: true });
    };
  }, [isLoading]);
  return toFocus;
};
