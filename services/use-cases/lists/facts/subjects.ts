/**
 * The people among the subjects of a user's facts: "Mel" and "Melanie" are one, whose facts are decided
 * together; the brother Alex and the boss Alex are two.
 */

import type { KnownFact, Scope, TurnDetails } from '../../../../core/ports.ts';
import { RELATION_ATTRIBUTES } from '../../../../domain/extraction/reading/relations.ts';
import type { People } from '../../../../domain/facts/names/people.ts';
import { kinSaid } from '../../../../domain/facts/names/said-of.ts';
import { factKey } from '../../../../domain/facts/stored-fact.ts';
import { peopleIn } from '../read-people.ts';

/** Keys are read this many at once. */
const KEYS_AT_ONCE = 64;
/**
 * Only the first subjects of the first keys may be recognized as names of one person; later subjects stand
 * for themselves.
 */
const MOST_KEYS = 512;
const MOST_SUBJECTS = 64;
const RELATIONS = new Set(RELATION_ATTRIBUTES);

type OfUser = Scope & { user: string };

/** @param waiting facts that the index may not have yet */
export const readSubjects = async (
  details: Pick<TurnDetails, 'facts' | 'factKeys' | 'nameCorrections'>,
  scope: OfUser,
  waiting: readonly KnownFact[],
): Promise<People> => {
  const [keys, corrections] = await Promise.all([firstKeys(details, scope), details.nameCorrections(scope)]);
  /** One key of each subject, which tells its label, and how many attributes it has. */
  const bySubject = Map.groupBy([...keys, ...waiting.map(({ fact }) => factKey(fact))], subjectIn);
  const relatives = keys.filter(key => RELATIONS.has(attributeIn(key))).slice(0, MOST_SUBJECTS);
  if (bySubject.size < 2 && corrections.length === 0 && relatives.length === 0)
    return peopleIn(scope, waiting, { corrections, kin: [] });
  const first = [...bySubject.values()].map(([key]) => key!).slice(0, MOST_SUBJECTS);
  const wanted = [...new Set([...first, ...relatives])].map(key => ({ user: scope.user, key }));
  const found: KnownFact[] = [];
  for (let at = 0; at < wanted.length; at += KEYS_AT_ONCE)
    found.push(...(await details.facts(scope, { keys: wanted.slice(at, at + KEYS_AT_ONCE) })).facts);
  const said = [...waiting, ...found];
  const kin = kinSaid(said.filter(({ fact }) => RELATIONS.has(fact.attribute)));
  // A label counts once for each of its attributes.
  const all = [...new Map(said.map(one => [one.fact.subjectId, one])).values()].flatMap(one =>
    Array<KnownFact>(new Set(bySubject.get(one.fact.subjectId)).size || 1).fill(one),
  );
  return peopleIn(scope, all, { corrections, kin: [...new Set(kin)] });
};

export const subjectIn = (key: string): string => key.slice(key.lastIndexOf('/') + 1);
export const attributeIn = (key: string): string => key.slice(0, key.lastIndexOf('/'));

/** Returns the keys whose facts are decided with those of this key, itself among them. */
export const keysWith = (people: People, key: string): string[] =>
  people.together(subjectIn(key)).map(subjectId => factKey({ attribute: attributeIn(key), subjectId }));

const firstKeys = async (details: Pick<TurnDetails, 'factKeys'>, scope: OfUser): Promise<string[]> => {
  const keys: string[] = [];
  for (;;) {
    const next = await details.factKeys(scope, { after: keys.at(-1) }, KEYS_AT_ONCE);
    keys.push(...next);
    if (next.length < KEYS_AT_ONCE || keys.length >= MOST_KEYS) return keys;
  }
};
