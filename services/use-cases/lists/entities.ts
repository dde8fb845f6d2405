/**
 * Entities of a scope: names of one entity are one, listed under the name that is mostly used, with the
 * evidence.
 */

import { freshnessOf } from '../../../core/freshness.ts';
import type { Admission, ListedEntity, ListedScope, Listing, TurnDetails } from '../../../core/ports.ts';
import { readScope } from '../../../core/scope.ts';
import type { MemoryLists } from '../../../core/use-cases.ts';
import type { Standing } from '../../../domain/facts/names/names.ts';
import { compareText } from '../../../domain/filter/compare-text.ts';
import { conditionInQuery } from '../../../domain/filter/condition.ts';
import type { EntityItem } from '../../../schemas/http/items.ts';
import { cursors } from '../../../schemas/http/lists.ts';
import { LISTED } from '../../../schemas/http/queries/list-operation.ts';
import { turnEntity } from './items.ts';
import { keyAfter, paged } from './page.ts';
import { PERSON, type ReadNames, readNames } from './read-names.ts';

export interface EntityPorts {
  listing: Pick<Listing, 'entities' | 'entitiesById' | 'naming'>;
  details: Pick<TurnDetails, 'nameCorrections'>;
  admission: Pick<Admission, 'tail'>;
  /** Unix milliseconds. */
  clock: () => number;
}

export const makeListEntities =
  ({ listing, details, admission, clock }: EntityPorts): MemoryLists['entities'] =>
  async (principal, { limit = LISTED, cursor, ...query }) => {
    const scope = { ...readScope(principal, query), filter: conditionInQuery(query.filter) };
    const after = keyAfter(cursors.entities, scope, cursor);
    const now = clock();
    // Nothing is extracted from a turn that waits: it only tells how far the index is.
    const tail = await admission.tail(scope);
    const filter = { kind: query.kind, turnId: query.turn_id };
    const { user } = scope;
    // Names of two users are never one.
    const names =
      user === undefined ? NO_NAMES : await namesIn({ listing, details }, { ...scope, user }, filter);
    const found = await withoutOtherNames(names, query.kind, after, limit + 1, from =>
      listing.entities(scope, filter, from, limit + 1),
    );
    const { page, next_cursor } = paged(cursors.entities, found, limit, one => one, scope.filter);
    const entities = await Promise.all(page.map(entity => entityItem(listing, scope, entity, names)));
    return { entities, next_cursor, freshness: freshnessOf(now, tail, 0) };
  };

export type EntityNames = Pick<ReadNames, 'entities' | 'namesakes' | 'standing'>;

export const NO_NAMES: EntityNames = { entities: new Map(), namesakes: new Map(), standing: new Map() };

export const namesIn = async (
  { listing, details }: Pick<EntityPorts, 'listing' | 'details'>,
  scope: ListedScope & { user: string },
  { kind, turnId }: { kind: string | undefined; turnId: string | undefined },
): Promise<EntityNames> => {
  const corrections = await details.nameCorrections(scope);
  const hasOthers = kind === undefined || kind === PERSON || corrections.length > 0;
  if (!hasOthers || (turnId !== undefined && corrections.length === 0)) return NO_NAMES;
  const names = await readNames(listing, scope, corrections);
  return turnId === undefined ? names : labelsAlone(names);
};

/** Lists a turn's entities as the turn names them: each for itself, under the label that it was given. */
const labelsAlone = ({ entities, standing }: EntityNames): EntityNames => ({
  entities,
  namesakes: new Map(),
  standing: new Map([...standing].filter(([key, one]) => one.key === key)),
});

/** A page without names that stand for another entity. Reads on where they leave the page short. */
const withoutOtherNames = async (
  { namesakes, standing }: EntityNames,
  kind: string | undefined,
  after: { user: string; normalised: string } | undefined,
  most: number,
  read: (after: { user: string; normalised: string } | undefined) => Promise<ListedEntity[]>,
): Promise<ListedEntity[]> => {
  const ofKind = [...namesakes.values()].filter(one => (kind ?? one.kind) === one.kind);
  const isOther = ({ normalised, turns }: ListedEntity): boolean =>
    (standing.get(normalised)?.key ?? normalised) !== normalised || turns === 0;
  const kept: ListedEntity[] = [];
  for (let from = after; ; ) {
    const stored = await read(from);
    const isLast = stored.length < most;
    const found = withNamesakes(ofKind, stored, from, isLast);
    kept.push(...found.filter(entity => !isOther(entity)));
    if (isLast || kept.length >= most) return kept.slice(0, most);
    const { user, normalised } = stored.at(-1)!;
    from = { user, normalised };
  }
};

/**
 * The stored entities of a page with those that are set apart by sessions, which no index has, and with the
 * turns of each.
 */
const withNamesakes = (
  namesakes: readonly ListedEntity[],
  stored: readonly ListedEntity[],
  after: { normalised: string } | undefined,
  isLast: boolean,
): ListedEntity[] => {
  if (namesakes.length === 0) return [...stored];
  const isHere = ({ normalised }: ListedEntity): boolean =>
    (after === undefined || compareText(normalised, after.normalised) > 0) &&
    (isLast || compareText(normalised, stored.at(-1)!.normalised) <= 0);
  const here = new Map([...stored, ...namesakes.filter(isHere)].map(one => [one.normalised, one]));
  return [...here.values()].sort((a, b) => compareText(a.normalised, b.normalised));
};

export const entityItem = async (
  listing: Pick<Listing, 'naming'>,
  scope: ListedScope,
  entity: ListedEntity,
  { entities, standing }: EntityNames,
): Promise<EntityItem> => {
  const others = [...standing].filter(
    (one): one is [string, Standing & Required<Pick<Standing, 'rule' | 'matched'>>] =>
      one[1].key === entity.normalised && one[1].rule !== undefined && entities.has(one[0]),
  );
  // A turn may name it by two names.
  const all = [entity.normalised, ...others.map(([key]) => key)];
  const turns =
    others.length === 0 ? entity.turns : await listing.naming({ ...scope, user: entity.user }, all);
  return {
    ...turnEntity(entity),
    label: standing.get(entity.normalised)?.label ?? entity.label,
    turns,
    aliases: others.map(([key, { rule, matched }]) => {
      const { id, label, turns } = entities.get(key)!;
      return { id, label, turns, rule, matched };
    }),
  };
};
