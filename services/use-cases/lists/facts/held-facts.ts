/**
 * GET /memory/facts: what holds, or ever held, of a user: by attribute and subject, decided anew for every
 * page.
 */

import { freshnessOf } from '../../../../core/freshness.ts';
import type { ReadModels } from '../../../../core/ports/engines.ts';
import type { Admission, KnownFact, KnownObservation, TurnDetails } from '../../../../core/ports.ts';
import { ownScope, readScope } from '../../../../core/scope.ts';
import { assertSettled } from '../../../../core/settled.ts';
import type { Principal } from '../../../../core/use-cases.ts';
import { normaliseLabel } from '../../../../domain/extraction/names/label.ts';
import { attributeName } from '../../../../domain/facts/attributes.ts';
import { correctionsById } from '../../../../domain/facts/holds/corrections.ts';
import type { Period } from '../../../../domain/facts/holds/dated-facts.ts';
import { holding, whatHeld } from '../../../../domain/facts/holds/what-holds.ts';
import type { People } from '../../../../domain/facts/names/people.ts';
import { factKey } from '../../../../domain/facts/stored-fact.ts';
import { decidedTogether } from '../../../../domain/facts/values/slots.ts';
import { conditionInQuery, selectedBy } from '../../../../domain/filter/condition.ts';
import { entityId } from '../../../../domain/identity/identity.ts';
import { tailObservations } from '../../../../projections/recall/tail/tail-turn.ts';
import type { FactItem } from '../../../../schemas/http/items.ts';
import { cursors, type Facts, type Query } from '../../../../schemas/http/lists.ts';
import type { KeyOf } from '../../../../schemas/http/queries/cursor.ts';
import { parseInstant } from '../../../../schemas/http/queries/instant.ts';
import { LISTED } from '../../../../schemas/http/queries/list-operation.ts';
import { keyAfter, nameOf } from '../page.ts';
import { itemOf, type OfUser, valueId } from './fact-item.ts';
import { attributeIn, keysWith, readSubjects, subjectIn } from './subjects.ts';

export interface HeldFactPorts {
  details: Pick<TurnDetails, 'facts' | 'factKeys' | 'nameCorrections'>;
  admission: Pick<Admission, 'tail'>;
  settledUntil: ReadModels['settledUntil'];
  /** Unix milliseconds. */
  clock: () => number;
}

/**
 * Keys whose facts are read at once, and in one call: a filter that nothing passes ends with a cursor, not
 * late.
 */
const KEYS_AT_ONCE = 64;
const MOST_KEYS = 1_024;
/** Behind everything of a key. */
const KEY_END = { from: Number.MAX_SAFE_INTEGER, id: '' };

/** A page, as it fills. */
interface Page {
  facts: FactItem[];
  /** The cursor of the last fact, or of the last key that had none. */
  last: Omit<KeyOf<typeof cursors.facts>, 'user'> | undefined;
}

export const makeListFacts = (ports: HeldFactPorts) => {
  const { details, admission, settledUntil, clock } = ports;
  return async (principal: Principal, query: Query<'facts'>): Promise<Facts> => {
    const { limit = LISTED, holds = 'now', cursor } = query;
    const attribute = query.attribute && attributeName(query.attribute);
    const asOf = query.as_of === undefined ? undefined : parseInstant(query.as_of);
    const scope: OfUser = { ...ownScope(principal, query, readScope(principal, query)), asOf };
    const filter = conditionInQuery(query.filter);
    // Decide which facts hold over everything, and apply the filter afterwards.
    const isSelected = selectedBy(filter);
    if (asOf !== undefined) assertSettled(asOf, await settledUntil(), ['query', 'as_of']);
    const moment = asOf ?? clock();
    const start = keyAfter(cursors.facts, { ...scope, filter }, cursor);
    // Read before the index: what is acknowledged is in at least one of the two.
    const tail = asOf === undefined ? await admission.tail(scope) : [];
    const observed = observedIn(tail);
    const waiting = observed.filter(hasFact);
    const people = await readSubjects(details, scope, waiting);
    const subjects = query.subject === undefined ? undefined : personIds(scope, query.subject, people);
    const values = query.value === undefined ? undefined : personIds(scope, query.value, people);
    const page: Page = { facts: [], last: undefined };
    /** The keys whose facts decide about this one's. */
    const decidedWith = (key: string): string[] =>
      decidedTogether(attributeIn(key)).flatMap(attribute =>
        keysWith(people, factKey({ attribute, subjectId: subjectIn(key) })),
      );

    const add = async (keys: readonly string[]): Promise<void> => {
      const wanted = [...new Set(keys.flatMap(decidedWith))].map(key => ({ user: scope.user, key }));
      const stored: KnownFact[] = [];
      const corrections: KnownObservation[] = observed.filter(({ corrects }) => corrects !== undefined);
      for (let at = 0; at < wanted.length; at += KEYS_AT_ONCE) {
        const found = await details.facts(scope, { keys: wanted.slice(at, at + KEYS_AT_ONCE) });
        stored.push(...found.facts);
        corrections.push(...found.corrections);
      }
      const corrected = correctionsById(corrections);
      const byKey = Map.groupBy(distinct([...waiting, ...stored]), ({ fact }) => factKey(fact));
      for (const key of keys) {
        // Facts of several names of one person are listed once, under the first of their keys.
        const together = keysWith(people, key).filter(one => byKey.has(one));
        const isFirst = !together.some(one => one < key);
        const facts = isFirst ? decidedWith(key).flatMap(one => byKey.get(one) ?? []) : [];
        // Under one name there may be two people.
        const found = [...Map.groupBy(facts, one => people.of(one).id)].flatMap(([id, ofPerson]) => {
          if (subjects !== undefined && !subjects.has(id)) return [];
          const { periods } = whatHeld<KnownObservation>(ofPerson, moment, corrected);
          return holds === 'now' ? holding(periods) : periods;
        });
        for (const period of found.sort(byStart)) {
          if (page.facts.length > limit) return;
          if (!key.startsWith(`${period.said[0].fact.attribute}/`)) continue;
          if (values !== undefined && !isAny(values, valueId(scope, period), people)) continue;
          const [first, ...others] = period.said.filter(isSelected);
          if (!first) continue;
          const at = { from: period.from, id: period.said[0].id };
          if (key === start?.key && !isAfter(at, start)) continue;
          if (page.facts.length < limit) page.last = { key, ...at };
          page.facts.push(itemOf(scope, { ...period, said: [first, ...others] }, people));
        }
        if (page.facts.length < limit) page.last = { key, ...KEY_END };
      }
    };

    const isWanted = (key: string): boolean =>
      (subjects === undefined || people.together(subjectIn(key)).some(id => subjects.has(id))) &&
      (attribute === undefined || key.startsWith(`${attribute}/`));
    const waitingKeys = waiting.map(({ fact }) => factKey(fact));
    let isMore = true;
    let after = start?.key;
    if (after !== undefined) await add([after]);
    for (let read = 0; isMore && page.facts.length <= limit && read < MOST_KEYS; read += KEYS_AT_ONCE) {
      const next = await details.factKeys(scope, { attribute, after }, KEYS_AT_ONCE);
      isMore = next.length === KEYS_AT_ONCE;
      const end = isMore ? next.at(-1)! : undefined;
      const isHere = (key: string) =>
        (after === undefined || key > after) && (end === undefined || key <= end);
      await add([...new Set([...next, ...waitingKeys.filter(isHere)])].filter(isWanted).sort());
      after = end ?? after;
      if (isMore && page.facts.length <= limit) page.last = { key: after!, ...KEY_END };
    }
    const facts = page.facts.slice(0, limit);
    const fromTail = facts.filter(({ recorded_at }) => recorded_at === null).length;
    const hasNext = page.facts.length > limit || isMore;
    return {
      facts,
      next_cursor:
        hasNext && page.last
          ? cursors.facts.encode({ user: scope.user, ...page.last }, nameOf(filter))
          : null,
      freshness: freshnessOf(moment, tail, fromTail),
    };
  };
};

/** An entity by its id or by its label. */
const entityOf = ({ org, user }: OfUser, named: string): string =>
  /^ent_[0-9a-f]{24}$/.test(named) ? named : entityId(org, user, normaliseLabel(named));

/** The persons that an id or a label stands for. */
const personIds = (scope: OfUser, named: string, people: People): ReadonlySet<string> => {
  const found = people.named(named);
  return new Set(found.length > 0 ? found.map(({ id }) => id) : [entityOf(scope, named)]);
};

/** Whether the entity is one of these persons. */
const isAny = (persons: ReadonlySet<string>, entity: string, people: People): boolean =>
  persons.has(entity) || people.named(entity).some(({ id }) => persons.has(id));

const observedIn = (tail: Awaited<ReturnType<Admission['tail']>>): KnownObservation[] =>
  tail
    .filter(({ facts, stated }) => facts !== undefined || stated !== undefined)
    .flatMap(turn =>
      tailObservations(turn).map(one => ({
        key: -1,
        ...one,
        recordedAt: Number.MAX_SAFE_INTEGER,
        metadata: turn.metadata,
      })),
    );

const hasFact = (one: KnownObservation): one is KnownFact => one.fact !== undefined;

/** The index's copy of a fact wins. */
const distinct = (facts: readonly KnownFact[]): KnownFact[] => [
  ...new Map(facts.map(fact => [fact.id, fact])).values(),
];

const byStart = (a: Period, b: Period): number => a.from - b.from || (a.said[0].id < b.said[0].id ? -1 : 1);

type FactKey = Pick<KeyOf<typeof cursors.facts>, 'from' | 'id'>;

const isAfter = (one: FactKey, last: FactKey): boolean =>
  one.from > last.from || (one.from === last.from && one.id > last.id);
