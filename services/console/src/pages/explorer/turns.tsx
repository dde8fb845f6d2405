import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, useEffect, useRef, useState, useSyncExternalStore } from 'react';
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
/** What passes by while somebody scrolls is not asked for. */
const RESTS_MS = 120;

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
  /** A turn to begin with, and to mark. */
  target: string | undefined;
  place: Place;
}) => {
  const { turns, more, loading, opened, failed } = state;
  const scrolled = useRef<HTMLDivElement>(null);
  const begun = useRef(-1);
  useSyncExternalStore(details.subscribe, details.version);
  const [looked, setLooked] = useState(0);

  const virtual = useVirtualizer({
    count: turns.length,
    getScrollElement: () => scrolled.current,
    estimateSize: () => ESTIMATED_HEIGHT,
    overscan: BEYOND,
    getItemKey: index => turns[index]?.id ?? index,
    // Turns that come in front move nothing that is on the screen.
    anchorTo: 'end',
    scrollEndThreshold: -1,
  });
  const items = virtual.getVirtualItems();
  const first = items.find(item => item.end > (virtual.scrollOffset ?? 0))?.index ?? 0;
  const last = items.at(-1)?.index ?? 0;

  // A run that has just been opened begins with its first turn; the first run of all with the target, where it has one.
  useEffect(() => {
    if (begun.current === opened || turns.length === 0) return;
    const isFirst = begun.current < 0;
    begun.current = opened;
    const index = isFirst ? turns.findIndex(({ id }) => id === target) : 0;
    virtual.scrollToIndex(Math.max(index, 0), { align: 'start' });
  }, [opened, turns, target, virtual]);

  useEffect(() => {
    if (turns.length === 0) return;
    if (more.after && last > turns.length - NEAR) void run.grow('after');
    if (more.before && first < NEAR) void run.grow('before');
  }, [run, turns, more, first, last]);

  const shownAt = turns[first]?.timestamp;
  useEffect(() => {
    if (shownAt !== undefined) place.move(shownAt);
  }, [place, shownAt]);

  const onScreen = items.map(({ index }) => turns[index]!.id).join(' ');
  // biome-ignore lint/correctness/useExhaustiveDependencies: `looked` asks anew for the same turns
  useEffect(() => {
    const rests = setTimeout(() => details.want(onScreen === '' ? [] : onScreen.split(' ')), RESTS_MS);
    return () => clearTimeout(rests);
  }, [details, onScreen, looked]);

  // Whoever was led to a turn goes on from there by the keyboard, once it is on the screen.
  const toFocus = useRef(target);
  useEffect(() => {
    if (toFocus.current === undefined || !onScreen.includes(toFocus.current)) return;
    toFocus.current = undefined;
    scrolled.current?.querySelector<HTMLElement>('[aria-current]')?.focus({ preventScroll: true });
  }, [onScreen]);

  /** From turn to turn, as in every feed. */
  const step = (event: KeyboardEvent<HTMLDivElement>): void => {
    const by = event.key === 'PageDown' ? 1 : event.key === 'PageUp' ? -1 : 0;
    const row = (event.target as Element).closest<HTMLElement>('.row');
    if (by === 0 || !row) return;
    const beside = `[data-index="${Number(row.dataset.index) + by}"] article`;
    scrolled.current?.querySelector<HTMLElement>(beside)?.focus();
    event.preventDefault();
  };

  const look = (): void => {
    void run.look();
    details.refresh();
    setLooked(before => before + 1);
  };

  return (
    <>
      {failed && <ErrorNotice error={failed.error} retry={() => void run.grow(failed.end)} />}
      {turns.length === 0 && loading.after && <Loading what="the conversation" />}
      <div
        ref={scrolled}
        className="turns"
        role="feed"
        aria-label="Conversation"
        aria-busy={loading.after}
        onKeyDown={step}
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
                position={index + 1}
                size={more.before || more.after ? -1 : turns.length}
              />
            </div>
          ))}
        </div>
      </div>
      {turns.length > 0 && !more.after && (
        <p className="muted end">
          The last turn is loaded.{' '}
          <button type="button" className="small" onClick={look} disabled={loading.after}>
            Look for newer ones
          </button>
        </p>
      )}
    </>
  );
};
