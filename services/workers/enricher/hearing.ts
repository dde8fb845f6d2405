import type { Event } from '../../../core/log/events.ts';
import type { TurnRecorded } from '../../../schemas/events/turns.ts';
import type { SpokenTurn } from './extractor.ts';

export type Recorded = Event<TurnRecorded>;

/** A turn, and the one before it in its session, where that one is at hand. */
export interface Heard {
  event: Recorded;
  before: SpokenTurn['before'];
}

/** Sessions of which the last turn is remembered, so that an answer that comes later finds its question. */
const MOST_SESSIONS = 2_000;
/** Characters of a turn that are remembered: its end, where a question stands. */
const REMEMBERED = 400;

/**
 * Returns a function that tells each turn of a session the one before. Sessions are known by their keys: once
 * one is erased, nothing that was said in it is a question any more. Forgets those that were silent for
 * longest.
 */
export const makeHearing = () => {
  const last = new Map<string, { role: string; text: string }>();
  return (turns: readonly Recorded[]): Heard[] =>
    turns.map(event => {
      const session = event.keyId ?? '';
      const before = last.get(session);
      last.delete(session);
      last.set(session, { role: event.data.role, text: event.data.text.slice(-REMEMBERED) });
      if (last.size > MOST_SESSIONS) last.delete(last.keys().next().value!);
      return { event, before };
    });
};
