/** Entities of a scope: names of one person are one, listed under the name that is mostly used, with the evidence. */
import { type Alias, aliasesOf } from '../../../projections/facts/aliases.ts';
import { LISTED } from '../../../schemas/http/list-queries.ts';
import type { EntityItem } from '../../../schemas/http/lists.ts';
import { freshnessOf } from '../../core/freshness.ts';
import type { Admission, ListedEntity, Listing } from '../../core/ports.ts';
import { readScope } from '../../core/scope.ts';
import type { MemoryLists } from '../../core/use-cases.ts';
import { turnEntity } from './items.ts';
import { paged, placeIn } from './page.ts';

/** Of a scope's first persons some may be one: whoever is beyond them stands for themselves. */
const MOST_PERSONS = 512;
const PERSON = 'person';

type Entities = Pick<Listing, 'entities' | 'naming'>;
type EntityScope = Parameters<Listing['entities']>[0];

/** Another name of a listed person. */
interface OtherName {
  entity: ListedEntity;
  alias: Alias;
}

interface EntityPorts {
  listing: Entities;
  admission: Pick<Admission, 'tail'>;
  /** Unix milliseconds. */
  clock: () => number;
}

export const makeListEntities =
  ({ listing, admission, clock }: EntityPorts): MemoryLists['entities'] =>
  async (principal, { limit = LISTED, cursor, ...query }) => {
    const scope = readScope(principal, query);
    const place = placeIn('entities', scope, cursor);
    const after = place && { user: place[0], normalised: place[1] };
    const now = clock();
    // Nothing is extracted from a turn that waits: it only tells how far the index is.
    const tail = await admission.tail(scope);
    const filter = { kind: query.kind, turnId: query.turn_id };
    const { user } = scope;
    // Names of people of two users are never one, and a turn's entities are listed as the turn names them.
    const hasNames = filter.turnId === undefined && (filter.kind === undefined || filter.kind === PERSON);
    const names = user !== undefined && hasNames ? await otherNames(listing, { ...scope, user }) : NO_NAMES;
    const found = await withoutOtherNames(names, after, limit + 1, from =>
      listing.entities(scope, filter, from, limit + 1),
    );
    const { page, next_cursor } = paged('entities', found, limit, one => [one.user, one.normalised]);
    const entities = await Promise.all(page.map(entity => itemOf(listing, scope, entity, names.of(entity))));
    return { entities, next_cursor, freshness: freshnessOf(now, tail, 0) };
  };

interface Names {
  /** The other names of a person, by their labels. */
  of(entity: ListedEntity): readonly OtherName[];
  isOther(entity: ListedEntity): boolean;
}

const NO_NAMES: Names = { of: () => [], isOther: () => false };

const otherNames = async (listing: Entities, scope: EntityScope & { user: string }): Promise<Names> => {
  const persons = await listing.entities(scope, { kind: PERSON }, undefined, MOST_PERSONS);
  const aliases = aliasesOf(persons.map(({ label, turns }) => ({ label, mentions: turns })));
  const others = persons.flatMap(entity => {
    const alias = aliases.get(entity.normalised);
    return alias ? [{ entity, alias }] : [];
  });
  const byLabel = Map.groupBy(others, ({ alias }) => alias.canonical);
  return {
    of: ({ label, kind }) => (kind === PERSON ? (byLabel.get(label) ?? []) : []),
    isOther: ({ normalised, kind }) => kind === PERSON && aliases.has(normalised),
  };
};

/** A page without names that stand for another entity; read on where they leave it short. */
const withoutOtherNames = async (
  names: Names,
  after: { user: string; normalised: string } | undefined,
  most: number,
  read: (after: { user: string; normalised: string } | undefined) => Promise<ListedEntity[]>,
): Promise<ListedEntity[]> => {
  const kept: ListedEntity[] = [];
  for (let from = after; ; ) {
    const found = await read(from);
    kept.push(...found.filter(entity => !names.isOther(entity)));
    if (found.length < most || kept.length >= most) return kept.slice(0, most);
    const { user, normalised } = found.at(-1)!;
    from = { user, normalised };
  }
};

const itemOf = async (
  listing: Entities,
  scope: EntityScope,
  entity: ListedEntity,
  others: readonly OtherName[],
): Promise<EntityItem> => {
  // A turn may name a person by two names.
  const all = [entity, ...others.map(other => other.entity)].map(({ normalised }) => normalised);
  const turns =
    others.length === 0 ? entity.turns : await listing.naming({ ...scope, user: entity.user }, all);
  return {
    ...turnEntity(entity),
    turns,
    aliases: others.map(({ entity: { id, label, turns }, alias: { rule, matched } }) => ({
      id,
      label,
      turns,
      rule,
      matched,
    })),
  };
};
