import { type Document, documentBytes } from '../../../domain/search/document.ts';
import type { NewFragment, StoredFragment } from '../../../domain/search/fragment.ts';
import type { Indexed } from './indexed.ts';
import { makeRecent } from './recent.ts';
import { type TailTurn, tailFragment, tailObservations } from './tail-turn.ts';

export type TailAnalysis = (text: string, context: { role: string; timestamp: number }) => Document;

/**
 * Cached until the index has the turn, so that recalls analyse it once; as many turns as the tail may hold.
 */
const analysed = makeRecent<string, Document[]>({
  entries: 12_000,
  bytes: 32 * 1024 * 1024,
  bytesOf: documents => documents.reduce((sum, one) => sum + documentBytes(one), 0),
});

/** The ids of observations are digests of their texts. */
const fragments = new WeakMap<TailTurn, (NewFragment | undefined)[]>();

/** A turn's fragment, undefined when only its identity is kept, and those of its observations. */
const fragmentsOf = (turn: TailTurn): (NewFragment | undefined)[] => {
  const known = fragments.get(turn);
  if (known) return known;
  const made = [tailFragment(turn), ...tailObservations(turn)];
  fragments.set(turn, made);
  return made;
};

/** Ids are digests of texts; a turn loses an observation that is retracted, and keeps its own id. */
const keyOf = (turn: TailTurn): string =>
  turn.observations.length === 0
    ? turn.id
    : fragmentsOf(turn).reduce((key, fragment) => `${key} ${fragment?.id ?? ''}`, turn.id);

const documentsOf = (turn: TailTurn, analyse: TailAnalysis): Document[] => {
  const key = keyOf(turn);
  const texts = [turn.text, ...turn.observations];
  return (
    analysed.get(key) ??
    analysed.set(
      key,
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

/** The numbers that an index assigns to turns that it doesn't have yet. */
export interface TailNumbers {
  session(turn: TailTurn): number;
  /**
   * The number of a turn (`part` 0) or of one of its observations (from 1 on). Called in the order of the
   * entries.
   */
  entry(turn: TailTurn, part: number): number;
}

/** Converts tail turns to entries like those of the index. */
export const numberTail = (tail: readonly TailTurn[], numbers: TailNumbers, analyse: TailAnalysis) => {
  const entries: Indexed[] = [];
  const stored = new Map<number, StoredFragment>();
  const byNumber = new Map<number, Indexed>();
  const names = new Map<number, string>();

  const put = (
    turn: TailTurn,
    session: number,
    part: number,
    fragment: NewFragment,
    document: Document,
  ): void => {
    const number = numbers.entry(turn, part);
    const { role, timestamp } = fragment;
    const kind = fragment.kind === 'turn' ? 0 : 1;
    const entry = { number, id: fragment.id.slice(4), session, timestamp, kind, role, document };
    entries.push(entry);
    byNumber.set(number, entry);
    stored.set(number, { key: number, ...fragment, isWaiting: true });
  };

  for (const turn of tail) {
    const session = numbers.session(turn);
    names.set(session, turn.session);
    const documents = documentsOf(turn, analyse);
    fragmentsOf(turn).forEach((fragment, part) => {
      if (fragment) put(turn, session, part, fragment, documents[part]!);
    });
  }

  return {
    entries,
    has: (number: number): boolean => byNumber.has(number),
    get: (number: number): Indexed | undefined => byNumber.get(number),
    fragment: (number: number): StoredFragment | undefined => stored.get(number),
    /** The numbers of the tail's sessions with this name. */
    sessionsNamed: (name: string): number[] =>
      [...names].filter(([, session]) => session === name).map(([number]) => number),
  };
};

/** Tail turns as entries, with their fragments by number. */
export type NumberedTail = ReturnType<typeof numberTail>;
