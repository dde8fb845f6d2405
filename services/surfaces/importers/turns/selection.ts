import { parseInstant } from '../../../../schemas/http/queries/instant.ts';
import { type Found, type FoundTurn, type LeftOut, leftOut } from './found.ts';

export interface Selection {
  /** Unix milliseconds, both inclusive. */
  since?: number;
  until?: number;
  /** Titles or session ids of the wanted conversations; undefined: all. */
  only?: string[];
}

const folded = (text: string): string => text.normalize('NFC').toLowerCase();

/** Passes on the selected items; the others are left out and counted. */
export const makeSelection = ({ since, until, only }: Selection) => {
  const wanted = only && new Map(only.map(name => [folded(name), name]));
  const seen = new Set<string>();

  const isWanted = ({ title, session, within }: FoundTurn): boolean => {
    if (!wanted) return true;
    const names = [title, session, within?.title, within?.session].flatMap(name =>
      name === undefined ? [] : [folded(name)],
    );
    const found = names.filter(name => wanted.has(name));
    for (const name of found) seen.add(name);
    return found.length > 0;
  };

  const reasonAgainst = (found: FoundTurn): LeftOut | undefined => {
    if (!isWanted(found)) return leftOut('messages of other conversations');
    const at = parseInstant(found.turn.timestamp) ?? Number.NaN;
    return at < (since ?? at) || at > (until ?? at)
      ? leftOut('messages outside --since and --until')
      : undefined;
  };

  return {
    of: async function* (all: AsyncIterable<Found>): AsyncGenerator<Found> {
      for await (const found of all) yield 'turn' in found ? (reasonAgainst(found) ?? found) : found;
    },
    /** Returns the names in `only` that match no conversation. */
    missing: (): string[] => [...(wanted ?? [])].flatMap(([key, name]) => (seen.has(key) ? [] : [name])),
  };
};
