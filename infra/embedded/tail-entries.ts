import type { Document } from '../../projections/recall/document.ts';
import { observationId } from '../../projections/recall/identity.ts';
import type { StoredFragment, TailTurn } from '../../services/ports.ts';
import type { Indexed } from './fragment-reader.ts';
import { makeRecent } from './recent.ts';

export type TailAnalysis = (text: string, context: { role: string; timestamp: number }) => Document;

/** Above every number of the index, so that a tail turn comes after what is indexed at the same instant. */
const FIRST_TAIL_NUMBER = 2 ** 40;
const FIRST_TAIL_SESSION = 2 ** 40;

/** A tail turn is analysed once, however many recalls meet it before the index has it: as many as the tail may hold. */
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

/** Analyses what no recall has met before, letting others run in between: a turn may be a book's chapter. */
export const analyseTail = async (
  tail: readonly TailTurn[],
  analyse: TailAnalysis,
  breathe: () => Promise<void>,
): Promise<void> => {
  for (const turn of tail) {
    documentsOf(turn, analyse);
    await breathe();
  }
};

/** Makes tail turns look like what the index holds, with numbers of their own. */
export const placeTail = (
  tail: readonly TailTurn[],
  indexedSession: (org: string, user: string, session: string) => number | undefined,
  analyse: TailAnalysis,
) => {
  const entries: Indexed[] = [];
  const stored = new Map<number, StoredFragment>();
  const byNumber = new Map<number, Indexed>();
  const sessions = new Map<string, number>();
  const names = new Map<number, string>();

  const sessionOf = ({ org, user, session }: TailTurn): number => {
    const name = JSON.stringify([user, session]);
    let number = sessions.get(name);
    if (number === undefined) {
      number = indexedSession(org, user, session) ?? FIRST_TAIL_SESSION + sessions.size;
      sessions.set(name, number);
      names.set(number, session);
    }
    return number;
  };

  const put = (entry: Indexed, fragment: Omit<StoredFragment, 'key'>): void => {
    entries.push(entry);
    byNumber.set(entry.number, entry);
    stored.set(entry.number, { key: entry.number, ...fragment });
  };

  for (const turn of tail) {
    const session = sessionOf(turn);
    const { id, user, role, text, timestamp } = turn;
    const documents = documentsOf(turn, analyse);
    const next = () => FIRST_TAIL_NUMBER + entries.length;
    if (turn.active) {
      put(
        { number: next(), id: id.slice(4), session, timestamp, kind: 0, role, document: documents[0]! },
        { id, kind: 'turn', user, session: turn.session, role, text, timestamp },
      );
    }
    turn.observations.forEach((observation, i) => {
      const ofObservation = observationId(id, observation);
      put(
        {
          number: next(),
          id: ofObservation.slice(4),
          session,
          timestamp,
          kind: 1,
          role,
          document: documents[i + 1]!,
        },
        {
          id: ofObservation,
          kind: 'observation',
          user,
          session: turn.session,
          role,
          text: observation,
          timestamp,
          sourceTurnId: id,
          source: 'client',
        },
      );
    });
  }

  return {
    entries,
    has: (number: number): boolean => byNumber.has(number),
    get: (number: number): Indexed | undefined => byNumber.get(number),
    fragment: (number: number): StoredFragment | undefined => stored.get(number),
    /** Numbers of the tail's sessions of this name. */
    sessionsNamed: (name: string): number[] =>
      [...names].filter(([, session]) => session === name).map(([number]) => number),
  };
};
