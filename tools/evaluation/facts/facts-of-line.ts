import type { Dated, Fact } from '../../../domain/facts/holds/dated-facts.ts';
import { storedFact } from '../../../domain/facts/stored-fact.ts';
import type { SaidFact } from '../../../schemas/facts.ts';

/** A line of a story, as a turn of its own. */
interface ToldLine {
  /** Its place among the lines. */
  at: number;
  role: string;
  text: string;
  /** Unix milliseconds. */
  timestamp: number;
  recordedAt: number;
}

/** Returns the facts that a line says, as an index would have them. */
export const factsOfLine = (
  { at, role, text, timestamp, recordedAt }: ToldLine,
  said: readonly SaidFact[],
): Fact<Dated>[] =>
  said.map((fact, place) => ({
    id: `${at}.${place}`,
    timestamp,
    recordedAt,
    role,
    text,
    sourceTurnId: String(at),
    fact: storedFact({ org: 'o', user: 'u', timestamp }, fact, place),
  }));
