import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { date, dateTime } from '../../../words/numbers.ts';
import type { Place } from './place.ts';
import type { End } from './window.ts';

const STEPS = 1_000;
/** Dragging loads only the place where the thumb rests, not the places that it passes. */
const RESTS_MS = 150;

/** Shows the session from its first to its last turn; the thumb shows and moves the reader's place. */
export const TimeLine = ({
  span,
  place,
  onScrub,
}: {
  span: { from: string; to: string };
  place: Place;
  /** `towards`: the session's end in that direction. Resolves when the place is loaded or has failed. */
  onScrub: (instant: string, towards: End) => Promise<void>;
}) => {
  const at = useSyncExternalStore(place.subscribe, place.at) ?? span.from;
  const from = Date.parse(span.from);
  const to = Date.parse(span.to);
  const length = Math.max(to - from, 1);
  // The requested step until it is shown: the next key press counts from this step.
  const [held, setHeld] = useState<number>();
  const resting = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(resting.current), []);

  const instantOf = (step: number): number => from + Math.round((step / STEPS) * length);
  const here = Math.min(Math.max(Math.round(((Date.parse(at) - from) / length) * STEPS), 0), STEPS);
  const step = held ?? here;

  const scrub = (next: number): void => {
    setHeld(next);
    clearTimeout(resting.current);
    const rests = setTimeout(async () => {
      await onScrub(new Date(instantOf(next)).toISOString(), next < step ? 'before' : 'after');
      if (resting.current === rests) setHeld(undefined);
    }, RESTS_MS);
    resting.current = rests;
  };

  const told = held === undefined ? dateTime(at) : dateTime(instantOf(held));
  return (
    <div className="time-line">
      <input
        type="range"
        min={0}
        max={STEPS}
        value={step}
        disabled={from === to}
        aria-label="Time in the session"
        aria-valuetext={`${told} UTC`}
        onChange={event => scrub(Number(event.target.value))}
      />
      <span className="muted">{date(span.from)}</span>
      {/* Not an output, which would be announced with every turn that passes: the slider has the value. */}
      <span className="at">{told} UTC</span>
      <span className="muted">{date(span.to)}</span>
    </div>
  );
};
