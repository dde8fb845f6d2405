import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import { type FocusEvent, useCallback, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import type { StatedObservation, TurnItem } from '../../../api/types.ts';
import { ErrorNotice, Loading } from '../../../parts/frame/notices.tsx';
import { counted } from '../../../words/numbers.ts';
import { Corrected } from '../../correct/correct.tsx';
import type { DetailsStore } from './details.ts';
import { useHeldStart } from './held-start.ts';
import { HideTurn } from './hide-turn.tsx';
import { moveByKey, rowOf } from './keyboard.ts';
import type { Place } from './place.ts';
import { Turn } from './turn.tsx';
import type { SessionWindow, WindowState } from './window.ts';

const ESTIMATED_HEIGHT = 76;
/** Number of turns beyond the screen that are rendered and whose details are requested. */
const BEYOND = 8;
/** Distance in turns from a loaded end at which the next page is requested. */
const NEAR = 60;
/**
 * Details are requested after this rest, so not for turns that scroll past. It is longer than the time in
 * which the list considers itself scrolling (150 ms): until then, rows that grow above the screen push it
 * down.
 */
const RESTS_MS = 250;

/** Renders the loaded turns that are on and near the screen. */
export const Turns = ({
  run,
  state,
  details,
  target,
  place,
  mayCurate,
  onHidden,
}: {
  run: SessionWindow;
  state: WindowState;
  details: DetailsStore;
  /** The linked turn, which is marked. */
  target: string | undefined;
  place: Place;
  /** Whether the key may hide turns and correct facts. */
  mayCurate: boolean;
  /** Called after a turn was hidden and left the list. */
  onHidden: () => void;
}) => {
  const { turns, more, loading, opening, failed } = state;
  const isLoading = opening || loading.before || loading.after || details.loading();
  const feed = useRef<HTMLDivElement>(null);
  useSyncExternalStore(details.subscribe, details.version);
  const [unfolded, toggleDetails] = useToggled();
  const [hiding, setHiding] = useState<TurnItem>();
  const [hidden, setHidden] = useState(0);
  const [corrected, setCorrected] = useState<StatedObservation>();
  // The focused turn stays rendered wherever it is, because removing it would lose the focus.
  const focused = useRef<string>(undefined);

  const virtual = useVirtualizer({
    count: turns.length,
    getScrollElement: () => feed.current,
    estimateSize: () => ESTIMATED_HEIGHT,
    overscan: BEYOND,
    getItemKey: index => turns[index]?.id ?? index,
    rangeExtractor: range => {
      const indexes = defaultRangeExtractor(range);
      const kept = focused.current === undefined ? -1 : turns.findIndex(({ id }) => id === focused.current);
      return kept < 0 || indexes.includes(kept) ? indexes : [...indexes, kept].sort((a, b) => a - b);
    },
    // Turns that are added in front must not move the screen.
    anchorTo: 'end',
    scrollEndThreshold: -1,
  });
  const items = virtual.getVirtualItems();
  const first = virtual.range?.startIndex ?? 0;
  const last = virtual.range?.endIndex ?? 0;

  const toFocus = useHeldStart(state, virtual, { feed, isLoading });

  useGrow(run, state, { first, last });

  const shownAt = turns[first]?.timestamp;
  useEffect(() => {
    if (shownAt !== undefined) place.move(shownAt);
  }, [place, shownAt]);

  const onScreen = items.map(({ index }) => turns[index]!.id).join(' ');
  useWanted(details, onScreen);

  useEffect(() => {
    if (toFocus.current === undefined || !onScreen.includes(toFocus.current)) return;
    toFocus.current = undefined;
    feed.current?.querySelector<HTMLElement>('[aria-current]')?.focus({ preventScroll: true });
  }, [toFocus, onScreen]);

  const keepFocused = (event: FocusEvent): void => {
    focused.current = turns[Number(rowOf(event)?.dataset.index)]?.id;
  };
  const endHiding = ({ id }: TurnItem, isDone: boolean): void => {
    setHiding(undefined);
    if (!isDone) return;
    setHidden(before => before + 1);
    // The focused button is removed together with its turn.
    feed.current?.focus({ preventScroll: true });
    run.remove(id);
    // There may be turns beyond the ends, and nothing on the screen would load them.
    if (turns.length === 1) void run.open();
    onHidden();
  };
  const onCorrected = useCallback(
    (stated: StatedObservation): void => {
      setCorrected(stated);
      // The focused form is removed.
      feed.current?.focus({ preventScroll: true });
      details.refresh();
    },
    [details],
  );
  const forgetFocused = (): void => {
    focused.current = undefined;
  };

  return (
    <>
      {failed && <ErrorNotice error={failed.error} retry={() => void failed.again()} />}
      {turns.length === 0 && opening && <Loading what="the conversation" />}
      <div
        ref={feed}
        className={opening ? 'turns past' : 'turns'}
        role="feed"
        aria-label="Conversation"
        tabIndex={-1}
        aria-busy={opening || loading.after}
        onKeyDown={event => moveByKey(event, virtual, { feed: feed.current, count: turns.length })}
        onFocus={keepFocused}
        onBlur={forgetFocused}
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
                isOpen={unfolded.has(turns[index]!.id)}
                onDetails={toggleDetails}
                onHide={mayCurate ? setHiding : undefined}
                onCorrected={mayCurate ? onCorrected : undefined}
                position={index + 1}
                size={more.before || more.after ? -1 : turns.length}
              />
            </div>
          ))}
        </div>
      </div>
      <p role="status" className={hidden === 0 ? 'hidden' : 'muted end'}>
        {hidden > 0 && `${counted(hidden, 'turn was', 'turns were')} hidden.`}
      </p>
      <p role="status" className={corrected === undefined ? 'hidden' : 'muted end'}>
        {corrected && <Corrected stated={corrected} />}
      </p>
      <Notes run={run} state={state} details={details} />
      {hiding && <HideTurn turn={hiding} onDone={isDone => endHiding(hiding, isDone)} />}
    </>
  );
};

/** Loads another page when the screen comes near a loaded end. */
const useGrow = (
  run: SessionWindow,
  { turns, more, failed }: WindowState,
  { first, last }: { first: number; last: number },
): void =>
  useEffect(() => {
    // A failed request is retried by the reader, not by every scroll.
    if (turns.length === 0 || failed) return;
    if (more.after && last > turns.length - NEAR) void run.grow('after');
    if (more.before && first < NEAR) void run.grow('before');
  }, [run, turns, more, failed, first, last]);

/** Requests the details of the turns on the screen, whose ids are separated by spaces, once it rests. */
const useWanted = (details: DetailsStore, onScreen: string): void =>
  useEffect(() => {
    const rests = setTimeout(() => details.want(onScreen === '' ? [] : onScreen.split(' ')), RESTS_MS);
    return () => clearTimeout(rests);
  }, [details, onScreen]);

/** Returns a set of ids, and a function that adds or removes an id. */
const useToggled = (): [ReadonlySet<string>, (id: string) => void] => {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const toggle = useCallback((id: string): void => {
    setIds(before => {
      const after = new Set(before);
      if (!after.delete(id)) after.add(id);
      return after;
    });
  }, []);
  return [ids, toggle];
};

/** Shows notes at the end of the list, with actions for the reader. */
const Notes = ({
  run,
  state: { turns, more, loading },
  details,
}: {
  run: SessionWindow;
  state: WindowState;
  details: DetailsStore;
}) => {
  const loadNewer = (): void => {
    void run.loadNewer();
    details.refresh();
  };
  return (
    <>
      {details.erased() && (
        <p className="muted end" role="status">
          Some of these turns have been erased or hidden. Reload the page to remove them.
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
          <button type="button" className="small" onClick={loadNewer} aria-disabled={loading.after}>
            Check for newer turns
          </button>
        </p>
      )}
    </>
  );
};
