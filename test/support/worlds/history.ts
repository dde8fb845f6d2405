/** A history in steps, for what has to be answered as of each of them: random, and the same for a seed. */

import type { Event } from '../../../core/log/events.ts';
import type { ObservationsExtracted } from '../../../schemas/events/observations.ts';
import type { TurnRecorded } from '../../../schemas/events/turns.ts';
import { extracted, type Logged, minute, sentence, turnRecorded } from './builders.ts';

export type Draw = (below: number) => number;

/** Whole numbers from 0 (mulberry32). */
export const drawing = (seed: number): Draw => {
  let state = seed;
  return below => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 4_294_967_296) * below);
  };
};

const PARTITIONS = 4;
/** Some are new at each step: who speaks changes what a question is taken for. */
const SPEAKERS = ['Bert', 'Ada', 'Marta', 'Igor', 'Zoë'];
const SPELLINGS = ['Lisbon', 'lisbon', 'LISBON', 'Lisbon.'];

const recordedAfter = (step: number): number => minute(100_000 + 60 * (step + 1)) - 1;

export interface History {
  /** The events of each step, in an order that keeps that of every partition. */
  steps: Event[][];
  /** All that was recorded at the end of a step. */
  ends: number[];
}

/**
 * Each step adds turns to sessions old and new, at any time of their speakers, by speakers old and new; turns
 * that were not enriched before are enriched, in spellings old and new.
 *
 * @param sizes turns of each step
 */
export const history = (sizes: readonly number[], draw: Draw): History => {
  const offsets = new Map<string, number>();
  const total = sizes.reduce((sum, size) => sum + size, 0);
  let waiting: Logged<TurnRecorded>[] = [];
  let number = 0;

  /** At the next offset of its session's partition, recorded somewhere in the step. */
  const put = <T extends TurnRecorded | ObservationsExtracted>(event: Logged<T>, step: number): Logged<T> => {
    const { user_id, session_id } = event.data;
    const partition = (user_id.length + Number(session_id.slice(1))) % PARTITIONS;
    const topicPartition = `${event.topic}/${partition}`;
    const offset = offsets.get(topicPartition) ?? 0;
    offsets.set(topicPartition, offset + 1);
    // Several processes write: the next event may be recorded a little before this one.
    const recorded_at = new Date(recordedAfter(step) - draw(60 * 60_000 - 1)).toISOString();
    return { ...event, partition, offset, recorded_at };
  };

  const newTurn = (step: number): Logged<TurnRecorded> => {
    const n = number++;
    const observations = draw(5) === 0 ? [`fact of ${sentence(draw(total))}`, sentence(n)] : [];
    const made = turnRecorded(n, {
      user: draw(4) ? 'ada' : 'grace',
      session: `s${draw(4 + 2 * step + total / 60)}`,
      role: SPEAKERS[draw(Math.min(2 + step, SPEAKERS.length))]!,
      // Also at times that are long past, and several at one time.
      timestamp: minute(draw(3 * total)),
      text: draw(6) ? sentence(n) : sentence(draw(total)),
      active: draw(15) > 0,
      observations: observations.map(text => text.slice(0, 200)),
    });
    return put(made, step);
  };

  const enriched = (turn: Logged<TurnRecorded>, step: number): Logged<ObservationsExtracted> => {
    const said = turn.data.observations;
    const observations = [
      { text: `fact of ${sentence(draw(total))}` },
      // Also what the client says, and what other turns say.
      ...(said.length > 0 && draw(2) ? [{ text: said[0]! }] : []),
      ...(draw(3) ? [] : [{ text: 'The violin is in Lisbon.' }]),
    ];
    const spelled = SPELLINGS[draw(Math.min(1 + step, SPELLINGS.length))]!;
    const entities = [
      { label: spelled, kind: 'place' },
      { label: `Town ${draw(8)}`, kind: draw(2) ? 'place' : 'thing' },
      ...(draw(3) ? [] : [{ label: SPELLINGS[0]!, kind: 'place' }]),
    ];
    return put(extracted(0, turn, { observations, entities, extractor: `rules-${draw(2)}` }), step);
  };

  const steps = sizes.map((size, step) => {
    const turns = Array.from({ length: size }, () => newTurn(step));
    // A third waits for a later step, a few are enriched a second time.
    const known = [...waiting, ...turns];
    const now = known.filter(() => draw(3) > 0);
    waiting = known.filter(turn => !now.includes(turn) || draw(10) === 0);
    return interleaved([...turns, ...now.map(turn => enriched(turn, step))], draw);
  });
  return { steps, ends: sizes.map((_, step) => recordedAfter(step)) };
};

/** In another order between the partitions of the log; within each it stays. */
export const interleaved = (events: readonly Event[], draw: Draw): Event[] => {
  const partitions = [...Map.groupBy(events, ({ topic, partition }) => `${topic}/${partition}`).values()];
  const queues = partitions.map(queue => [...queue].sort((a, b) => a.offset - b.offset));
  const found: Event[] = [];
  while (queues.length > 0) {
    const at = draw(queues.length);
    found.push(...queues[at]!.splice(0, 1 + draw(20)));
    if (queues[at]!.length === 0) queues.splice(at, 1);
  }
  return found;
};
