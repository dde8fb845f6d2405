import type { Document } from '../document.ts';
import { type NewFragment, observationFragment, type StoredFragment, turnFragment } from '../fragment.ts';
import { observationId } from '../identity.ts';
import type { Indexed } from './indexed.ts';
import { makeRecent } from './recent.ts';
import type { TailTurn } from './tail-turn.ts';

export type TailAnalysis = (text: string, context: { role: string; timestamp: number }) => Document;

/** Cached until the index has the turn, so that recalls analyse it once; as many as the tail may hold. */
const analysed = makeRecent<string, Document[]>(12_000);

const documentsOf = (turn: TailTurn, analyse: TailAnalysis): Document[] => {
  const texts = [turn.text, ...turn.observations];
  return (
    analysed.get(turn.id) ??
    analysed.set(
      turn.id,
      texts.map(text => analyse(text, turn)),
    )
  );
};

/**
 * Analyses turns that are not cached yet; yields between turns, as one may be as long as a book's chapter.
 */
export const analyseTail = async (
  tail: readonly TailTurn[],
  analyse: TailAnalysis,
  yieldWhenDue: () => Promise<void>,
): Promise<void> => {
  for (const turn of tail) {
    documentsOf(turn, analyse);
    await yieldWhenDue();
  }
};

/** The numbers that an index assigns to turns that it doesn't hold yet. */
export interface TailNumbers {
  session(turn: TailTurn): number;
  /** For a turn (`part` 0) or one of its observations (from 1 on). Called in the order of the entries. */
  entry(turn: TailTurn, part: number): number;
}

/** Converts tail turns to entries like those of the index. */
export const placeTail = (tail: readonly TailTurn[], numbers: TailNumbers, analyse: TailAnalysis) => {
  const entries: Indexed[] = [];
  const stored = new Map<number, StoredFragment>();
  const byNumber = new Map<number, Indexed>();
  const names = new Map<number, string>();

  const put = (entry: Indexed, fragment: NewFragment): void => {
    entries.push(entry);
    byNumber.set(entry.number, entry);
    stored.set(entry.number, { key: entry.number, ...fragment });
  };

  for (const turn of tail) {
    const session = numbers.session(turn);
    names.set(session, turn.session);
    const { id, role, timestamp } = turn;
    const documents = documentsOf(turn, analyse);
    if (turn.active) {
      put(
        {
          number: numbers.entry(turn, 0),
          id: id.slice(4),
          session,
          timestamp,
          kind: 0,
          role,
          document: documents[0]!,
        },
        turnFragment(turn, turn),
      );
    }
    turn.observations.forEach((observation, i) => {
      const ofObservation = observationId(id, observation);
      put(
        {
          number: numbers.entry(turn, i + 1),
          id: ofObservation.slice(4),
          session,
          timestamp,
          kind: 1,
          role,
          document: documents[i + 1]!,
        },
        observationFragment(turn, {
          id: ofObservation,
          text: observation,
          sourceTurnId: id,
          source: 'client',
        }),
      );
    });
  }

  return {
    entries,
    has: (number: number): boolean => byNumber.has(number),
    get: (number: number): Indexed | undefined => byNumber.get(number),
    fragment: (number: number): StoredFragment | undefined => stored.get(number),
    /** Numbers of the tail's sessions with this name. */
    sessionsNamed: (name: string): number[] =>
      [...names].filter(([, session]) => session === name).map(([number]) => number),
  };
};

/** Tail turns as entries, with their fragments by number. */
export type PlacedTail = ReturnType<typeof placeTail>;
