import type { Event } from '../../../core/log/events.ts';
import { voicesIn } from '../../../domain/extraction/voice/own-words.ts';
import type { TurnRecorded } from '../../../schemas/events/turns.ts';
import type { SpokenTurn } from './extractor.ts';

export type Recorded = Event<TurnRecorded>;

/** A turn with what it may answer or correct, where that is at hand. */
export interface Heard extends Pick<SpokenTurn, 'before' | 'own'> {
  event: Recorded;
}

/** Sessions of which the last turns are remembered, so that an answer that comes later finds its question. */
const MOST_SESSIONS = 2_000;
/** Turns of a session: what the assistant said, and before that the speaker. */
const TURNS = 2;
/** Milliseconds that a turn is remembered: a correction comes soon. */
const LONGEST = 3_600_000;
/** Characters of a turn that are remembered: its end, where a question stands. */
const REMEMBERED = 400;

/**
 * Returns a function that tells each turn of a session the question before, and what its speaker said last.
 * Sessions are known by their keys: once one is erased, nothing that was said in it is remembered any more.
 * Forgets those that were silent for longest.
 */
export const makeHearing = () => {
  const sessions = new Map<string, readonly Remembered[]>();
  return (turns: readonly Recorded[]): Heard[] =>
    turns.map(event => {
      const { keyId, data, expires_at } = event;
      if (keyId === null) return { event, before: undefined, own: undefined };
      const now = Date.parse(event.recorded_at);
      const said = (sessions.get(keyId) ?? []).filter(({ at }) => !(now - at > LONGEST));
      const last = said.at(-1);
      sessions.delete(keyId);
      // A turn that expires is not remembered: its correction may be kept for longer.
      if (expires_at === undefined) sessions.set(keyId, [...said, endOf(data, now)].slice(-TURNS));
      if (sessions.size > MOST_SESSIONS) sessions.delete(sessions.keys().next().value!);
      return {
        event,
        before:
          last !== undefined && /[?]\s*$/.test(last.text) ? { role: last.role, text: last.text } : undefined,
        own: said.findLast(({ role }) => role === data.role)?.text,
      };
    });
};

interface Remembered {
  role: string;
  /** The end of the speaker's own words: nobody corrects a mail that was pasted. */
  text: string;
  at: number;
}

const endOf = ({ role, text }: TurnRecorded, at: number): Remembered => ({
  role,
  at,
  // A copy: a slice would keep the whole turn in memory.
  text: Buffer.from(voicesIn(text).own.slice(-REMEMBERED)).toString(),
});
