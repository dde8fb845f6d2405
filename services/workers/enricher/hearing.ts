import type { Event } from '../../../core/log/events.ts';
import type { TurnRecorded } from '../../../schemas/events/turns.ts';
import type { SpokenTurn } from './extractor.ts';

export type Recorded = Event<TurnRecorded>;

/** A turn, and the one before it in its session, if that one ends with a question that is at hand. */
export interface Heard {
  event: Recorded;
  before: SpokenTurn['before'];
}

/** Sessions of which a question is remembered, so that an answer that comes later finds it. */
const MOST_SESSIONS = 2_000;
/** Characters of a turn that are remembered: its end, where a question stands. */
const REMEMBERED = 400;

/**
 * Returns a function that tells each turn of a session the question before. Sessions are known by their keys:
 * once one is erased, nothing that was said in it is a question any more. Forgets those that were silent for
 * longest.
 */
export const makeHearing = () => {
  const asked = new Map<string, { role: string; text: string }>();
  return (turns: readonly Recorded[]): Heard[] =>
    turns.map(event => {
      const { keyId } = event;
      if (keyId === null) return { event, before: undefined };
      const before = asked.get(keyId);
      asked.delete(keyId);
      const question = questionOf(event);
      if (question !== undefined) asked.set(keyId, question);
      if (asked.size > MOST_SESSIONS) asked.delete(asked.keys().next().value!);
      return { event, before };
    });
};

/** The end of a turn that asks. What expires is not remembered: an answer may be kept for longer. */
const questionOf = ({ data, expires_at }: Recorded): SpokenTurn['before'] => {
  const end = data.text.slice(-REMEMBERED);
  if (expires_at !== undefined || !/[?]\s*$/.test(end)) return undefined;
  // A copy: a slice would keep the whole turn in memory.
  return { role: data.role, text: Buffer.from(end).toString() };
};
