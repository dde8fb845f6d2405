import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import {
  type FocusEvent,
  type KeyboardEvent,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { ErrorNotice, Loading } from '../../parts/notices.tsx';
import type { DetailsStore } from './details.ts';
import type { Place } from './place.ts';
import { Turn } from './turn.tsx';
import type { SessionWindow, WindowState } from './window.ts';

const ESTIMATED_HEIGHT = 76;
/** Turns beyond the screen that are rendered, and whose details are asked for. */
const BEYOND = 8;
/** Turns from an end of what is loaded at which the next page is asked for. */
const NEAR = 60;
/**
 * What passes by while somebody scrolls is not asked for. Longer than the list takes itself for being scrolled (150 ms):
 * until then what grows above the screen pushes it down.
 */
const RESTS_MS = 250;
/** Of the screen, that one press of a key goes on within a turn that is taller. */
const PAGE_SHARE = 0.9;

/** A run is held where it has begun for so long after all is loaded, or until somebody does one of these. */
const HELD_MS = 2_000;
const ACTS = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const;

const rowOf = (event: { target: EventTarget }): HTMLElement | null =>
  (event.target as Element).closest<HTMLElement>('.row');

/** The turns that are loaded, of which the browser holds those on the screen and a few around. */
export const Turns = ({
  run,
  state,
  details,
  target,
  place,
}: {
  run: SessionWindow;
  state: WindowState;
  details: DetailsStore;
  /** A turn to mark. */
  target: string | undefined;
  place: Place;
}) => {
  const { turns, more, loading, opening, opened, start, failed } = state;
  const isLoading = opening || loading.before || loading.after || details.loading();
  const scrolled = useRef<HTMLDivElement>(null);
  const begun = useRef(0);
  useSyncExternalStore(details.subscribe, details.version);
  const [told, setTold] = useState<ReadonlySet<string>>(new Set());
  // The turn that has the focus stays in the page wherever it is: what is taken out of it drops the focus.
  const focused = useRef<string>(undefined);

  const virtual = useVirtualizer({
    count: turns.length,
    getScrollElement: () => scrolled.current,
    estimateSize: () => ESTIMATED_HEIGHT,
    overscan: BEYOND,
    getItemKey: index => turns[index]?.id ?? index,
    rangeExtractor: range => {
      const indexes = defaultRangeExtractor(range);
      const kept = focused.current === undefined ? -1 : turns.findIndex(({ id }) => id === focused.current);
      return kept < 0 || indexes.includes(kept) ? indexes : [...indexes, kept].sort((a, b) => a - b);
    },
    // Turns that come in front move nothing that is on the screen.
    anchorTo: 'end',
    scrollEndThreshold: -1,
  });
  const items = virtual.getVirtualItems();
  const first = virtual.range?.startIndex ?? 0;
  const last = virtual.range?.endIndex ?? 0;

  // Whoever was led to a turn goes on from there by the keyboard, once it is on the screen.
  const toFocus = useRef<string>(undefined);

  // A run that has just been opened begins with the turn that was asked for, or else with its first, and stays there
  // until somebody does something: what is measured and loaded around it would move it by more than the screen.
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
    if (offset !== undefined && Math.abs(offset - scrolled.current!.scrollTop) > 1)
      virtual.scrollToIndex(index, { align: 'start' });
  });
  useEffect(() => {
    const release = (): void => {
      held.current = undefined;
    };
    for (const act of ACTS) window.addEventListener(act, release, { capture: true, passive: true });
    // Not everybody who goes on does it with a key, a wheel or a finger.
    const settled = isLoading ? undefined : setTimeout(release, HELD_MS);
    return () => {
      clearTimeout(settled);
      for (const act of ACTS) window.removeEventListener(act, release, { capture: true });
    };
  }, [isLoading]);

  useEffect(() => {
    // What failed is asked for again by hand, not by every scroll.
    if (turns.length === 0 || failed) return;
    if (more.after && last > turns.length - NEAR) void run.grow('after');
    if (more.before && first < NEAR) void run.grow('before');
  }, [run, turns, more, failed, first, last]);

  const shownAt = turns[first]?.timestamp;
  useEffect(() => {
    if (shownAt !== undefined) place.move(shownAt);
  }, [place, shownAt]);

  const onScreen = items.map(({ index }) => turns[index]!.id).join(' ');
  useEffect(() => {
    const rests = setTimeout(() => details.want(onScreen === '' ? [] : onScreen.split(' ')), RESTS_MS);
    return () => clearTimeout(rests);
  }, [details, onScreen]);

  useEffect(() => {
    if (toFocus.current === undefined || !onScreen.includes(toFocus.current)) return;
    toFocus.current = undefined;
    scrolled.current?.querySelector<HTMLElement>('[aria-current]')?.focus({ preventScroll: true });
  }, [onScreen]);

  const keepFocused = (event: FocusEvent): void => {
    focused.current = turns[Number(rowOf(event)?.dataset.index)]?.id;
  };
  const letGo = (): void => {
    focused.current = undefined;
  };

  /**
   * From turn to turn, as in every feed; within one that is taller than the screen, page by page; and to both ends of
   * what is loaded, which the browser itself would miss, since turns on the way are measured while it scrolls.
   */
  const step = (event: KeyboardEvent): void => {
    if (event.key === 'Home' || event.key === 'End') {
      const isHome = event.key === 'Home';
      virtual.scrollToIndex(isHome ? 0 : turns.length - 1, { align: isHome ? 'start' : 'end' });
      event.preventDefault();
      return;
    }
    const by = event.key === 'PageDown' ? 1 : event.key === 'PageUp' ? -1 : 0;
    const row = rowOf(event);
    const feed = scrolled.current;
    if (by === 0 || !row || !feed) return;
    const [at, view] = [row.getBoundingClientRect(), feed.getBoundingClientRect()];
    const beyond = by > 0 ? at.bottom - view.bottom : view.top - at.top;
    const index = Number(row.dataset.index) + by;
    const beside = feed.querySelector<HTMLElement>(`[data-index="${index}"] article`);
    if (beyond > 1) feed.scrollBy(0, by * Math.min(beyond, view.height * PAGE_SHARE));
    else if (beside) {
      beside.focus();
      if (beside.offsetHeight > view.height)
        virtual.scrollToIndex(index, { align: by > 0 ? 'start' : 'end' });
    } else return;
    event.preventDefault();
  };

  const tellOrigin = useCallback((id: string): void => {
    setTold(before => {
      const after = new Set(before);
      if (!after.delete(id)) after.add(id);
      return after;
    });
  }, []);

  const look = (): void => {
    void run.look();
    details.refresh();
  };

  return (
    <>
      {failed && <ErrorNotice error={failed.error} retry={() => void failed.again()} />}
      {turns.length === 0 && opening && <Loading what="the conversation" />}
      <div
        ref={scrolled}
        className={opening ? 'turns past' : 'turns'}
        role="feed"
        aria-label="Conversation"
        aria-busy={opening || loading.after}
        onKeyDown={step}
        onFocus={keepFocused}
        onBlur={letGo}
      >
        <div className="sheet" style={{ blockSize: virtual.getTotalSize() }}>
          {items.map(({ key, index, start }) => (
            <div
              key={key}
              ref={virtual.measureElement}
              data-index={index}
              className="row"
              style={{ transform: `translateY(${start}px)` }}
            >
              <Turn
                turn={turns[index]!}
                before={turns[index - 1]}
                details={details.of(turns[index]!.id)}
                isTarget={turns[index]!.id === target}
                isOpen={told.has(turns[index]!.id)}
                onOrigin={tellOrigin}
                position={index + 1}
                size={more.before || more.after ? -1 : turns.length}
              />
            </div>
          ))}
        </div>
      </div>
      {details.erased() && (
        <p className="muted end" role="status">
          Some of these turns are erased by now. Loaded again, the page is without them.
        </p>
      )}
      {details.failed() && (
        <p className="muted end" role="status">
          Some facts could not be loaded.{' '}
          <button type="button" className="small" onClick={details.again}>
            Try again
          </button>
        </p>
      )}
      {turns.length > 0 && !more.after && (
        <p className="muted end">
          The last turn is loaded.{' '}
          <button type="button" className="small" onClick={look} aria-disabled={loading.after}>
            Look for newer ones
          </button>
        </p>
      )}
    </>
  );
};
