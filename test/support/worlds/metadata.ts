/** Metadata and filters with whatever is hard about them, and what passes, as plainly as it can be said. */

import type { Event } from '../../../core/log/events.ts';
import type { Scope } from '../../../core/ports.ts';
import { clientObservationId, observationId } from '../../../domain/identity/identity.ts';
import type { ObservationsExtracted } from '../../../schemas/events/observations.ts';
import type { TurnRecorded } from '../../../schemas/events/turns.ts';
import type { Filter, FilterLeaf, FilterValue } from '../../../schemas/http/queries/filter.ts';
import { parseInstant } from '../../../schemas/http/queries/instant.ts';
import { type Logged, statement } from './builders.ts';
import type { Draw } from './history.ts';

type Json = null | string | number | boolean | Json[] | { [name: string]: Json };
export type Metadata = Record<string, Json>;

const LONG = 'a'.repeat(256);
const VALUES: FilterValue[] = [
  1,
  '1',
  true,
  'true',
  0,
  -0,
  -1,
  -1.5,
  1e-9,
  -1e300,
  1e300,
  2 ** 53,
  '',
  'a',
  'ab',
  'b',
  'é',
  '\u{1f600}',
  '\uffee',
  'a\0b',
  LONG,
  `${LONG}b`,
  `${LONG}c`,
  `${'\u{1f600}'.repeat(255)}xyz`,
  '2026-01-05T09:30:00Z',
  '2026-01-05T10:30:00+01:00',
  '2026-01-05 09:30:00.001',
  '2025-12-31T23:59:59Z',
  '2026-01-05',
  false,
];
const KEYS = ['a', 'b', 'a.b', 'a.b.c', 'ä', 'x y', 'constructor', '__proto__'];

const pick = <T>(draw: Draw, list: readonly T[]): T => list[draw(list.length)]!;

const anyValue = (draw: Draw): Json => {
  const kind = draw(12);
  if (kind === 0) return null;
  if (kind === 1) return Array.from({ length: draw(4) }, () => anyValue(draw));
  if (kind === 2) return Object.fromEntries([[pick(draw, ['b', 'c', 'b.c']), anyValue(draw)]]);
  return pick(draw, VALUES);
};

const MOST_BYTES = 2_000;

/** Metadata whose terms are all kept. */
export const anyMetadata = (draw: Draw): Metadata => {
  for (;;) {
    const one = Object.fromEntries(Array.from({ length: draw(4) }, () => [pick(draw, KEYS), anyValue(draw)]));
    if (Buffer.byteLength(JSON.stringify(one)) <= MOST_BYTES) return one;
  }
};

/** Its values have more terms than any metadata may have: behind it nothing is kept. */
const FILLER = 'filler';
const filler = { [FILLER]: Array.from({ length: 30 }, (_, n) => `${n}`.padStart(200, 'x')) };

/** Metadata of which only the keys before the filler are known. */
export const anyLargeMetadata = (draw: Draw): Metadata => {
  const [before, after] = [anyMetadata(draw), anyMetadata(draw)];
  return { ...before, ...filler, ...after };
};

/** The part of a metadata that is kept, but for the values of keys that begin in it. */
const keptOf = (metadata: Metadata): Metadata | undefined => {
  const names = Object.keys(metadata);
  const end = names.indexOf(FILLER);
  return end < 0 ? undefined : Object.fromEntries(names.slice(0, end).map(name => [name, metadata[name]!]));
};

/** The values that are no longer than a text that is compared may be. */
const COMPARED = VALUES.filter(
  (value): value is string | number =>
    typeof value === 'number' || (typeof value === 'string' && [...value].length <= 256),
);

const anyLeaf = (draw: Draw): FilterLeaf => {
  const key = pick(draw, KEYS);
  switch (draw(7)) {
    case 0:
      return { key, eq: pick(draw, VALUES) };
    case 1:
      return { key, in: Array.from({ length: 1 + draw(3) }, () => pick(draw, VALUES)) };
    case 2:
      return { key, gt: pick(draw, COMPARED) };
    case 3:
      return { key, gte: pick(draw, COMPARED) };
    case 4:
      return { key, lt: pick(draw, COMPARED) };
    case 5:
      return { key, lte: pick(draw, COMPARED) };
    default:
      return { key, exists: draw(2) === 0 };
  }
};

export const anyFilter = (draw: Draw, levels = 3): Filter => {
  const kind = levels === 1 ? 9 : draw(8);
  const several = (): Filter[] => Array.from({ length: 1 + draw(3) }, () => anyFilter(draw, levels - 1));
  if (kind === 0) return { all: several() };
  if (kind === 1) return { any: several() };
  if (kind === 2) return { not: anyFilter(draw, levels - 1) };
  return anyLeaf(draw);
};

/** All values of a dotted key; elements of arrays, each for itself. `undefined`s are none. */
const valuesOf = (value: Json, names: string): Json[] => {
  if (Array.isArray(value)) return value.flatMap(one => valuesOf(one, names));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, own]) => {
    if (name === names) return [own];
    return names.startsWith(`${name}.`) ? valuesOf(own, names.slice(name.length + 1)) : [];
  });
};

const elements = (value: Json): Json[] => (Array.isArray(value) ? value.flatMap(elements) : [value]);

const compare = (value: Json, to: string | number): number | undefined => {
  if (typeof value === 'number' && typeof to === 'number') return value - to;
  if (typeof value !== 'string' || typeof to !== 'string') return undefined;
  const [at, other] = [parseInstant(value), parseInstant(to)];
  if (other !== undefined) return at === undefined ? undefined : at - other;
  return Buffer.compare(Buffer.from(value), Buffer.from(to));
};

const isEqual = (value: Json, to: FilterValue): boolean => value === to;

/** Yes, no, or unknown. */
type Says = boolean | undefined;

const every = (all: readonly Says[]): Says => {
  if (all.includes(false)) return false;
  return all.includes(undefined) ? undefined : true;
};
const some = (any: readonly Says[]): Says => {
  if (any.includes(true)) return true;
  return any.includes(undefined) ? undefined : false;
};
const not = (says: Says): Says => (says === undefined ? undefined : !says);

const says = (filter: Filter, metadata: Metadata): Says => {
  if ('all' in filter) return every(filter.all.map(one => says(one, metadata)));
  if ('any' in filter) return some(filter.any.map(one => says(one, metadata)));
  if ('not' in filter) return not(says(filter.not, metadata));
  const kept = keptOf(metadata);
  if (kept && valuesOf(kept, filter.key).length === 0) return undefined;
  const found = valuesOf(metadata, filter.key);
  if ('exists' in filter) return found.length > 0 === filter.exists;
  const values = found.flatMap(elements);
  const holds = (to: string | number, isSo: (difference: number) => boolean): Says =>
    some(
      values.map(value => {
        const difference = compare(value, to);
        return difference === undefined ? undefined : isSo(difference);
      }),
    );
  if ('eq' in filter) return values.some(value => isEqual(value, filter.eq));
  if ('in' in filter) return values.some(value => filter.in.some(to => isEqual(value, to)));
  if ('gt' in filter) return holds(filter.gt, difference => difference > 0);
  if ('gte' in filter) return holds(filter.gte, difference => difference >= 0);
  if ('lt' in filter) return holds(filter.lt, difference => difference < 0);
  return holds(filter.lte, difference => difference <= 0);
};

/** Whether a metadata passes: only a yes does. Of a key that has no terms nobody knows. */
export const plainlyPasses = (filter: Filter, metadata: Metadata | undefined): boolean =>
  says(filter, metadata ?? {}) === true;

export const isTurn = (event: Event): event is Logged<TurnRecorded> => event.type === 'turn.recorded';

/** The same events, with the metadata of a write each; what was extracted from a turn has its turn's. */
export const withMetadata = (events: readonly Event[], draw: Draw): Event[] => {
  const ofTurns = new Map<string, Metadata | undefined>();
  const pool = Array.from({ length: 12 }, () => anyMetadata(draw));
  const agent = () => ({ agent_id: draw(3) ? 'a' : 'b' });
  const next = (): Metadata => {
    const drawn = pool[draw(pool.length)]!;
    // Some say more than terms tell, before what is asked or behind it, and some what can't be compared.
    const rank = draw(8) ? draw(9) : 'high';
    if (draw(12)) return { ...drawn, ...agent(), rank };
    return draw(2) ? { ...drawn, ...agent(), rank, ...filler } : { ...agent(), ...filler, ...drawn, rank };
  };
  return events.map(event => {
    const id = isTurn(event) ? event.id : (event.data as { turn_id: string }).turn_id;
    if (!ofTurns.has(id)) ofTurns.set(id, draw(20) === 19 ? undefined : next());
    const metadata = ofTurns.get(id);
    return metadata ? { ...event, data: { ...(event.data as object), metadata } } : event;
  });
};

export const metadataOf = (event: Event): Metadata | undefined =>
  (event.data as { metadata?: Metadata }).metadata;

/** A partition that a history leaves free. */
const CORRECTIONS = 9;

/** The same events, and behind them corrections of some of what they say, which have the metadata of that. */
export const withCorrections = (events: readonly Event[], draw: Draw): Event[] => {
  let offset = 0;
  const correct = ({ org_id: org, data }: Event, id: string): Logged<TurnRecorded> => {
    const { user_id: user, session_id: session, timestamp } = data as TurnRecorded;
    const text = `Rather the violin number ${offset} in Lisbon.`;
    const corrects = { observation_id: id };
    const said = statement(0, { org, user, session, text, corrects, timestamp: Date.parse(timestamp) });
    const { metadata } = data as TurnRecorded;
    return {
      ...said,
      partition: CORRECTIONS,
      offset: offset++,
      data: { ...said.data, ...(metadata && { metadata }) },
    };
  };
  const corrections = events.flatMap(event => {
    if (draw(6) > 0) return [];
    const first = observedIn(event)[0];
    if (first === undefined) return [];
    const one = correct(event, first);
    // Some are corrected once more.
    return draw(3) ? [one] : [one, correct(one, observedIn(one)[0]!)];
  });
  return [...events, ...corrections];
};

/** Ids of what an event says. */
const observedIn = (event: Event): string[] => {
  if (isTurn(event))
    return event.data.observations.map(text => clientObservationId({ ...event.data, id: event.id }, text));
  const { turn_id, observations = [] } = event.data as ObservationsExtracted;
  return observations.map(({ text }) => observationId(turn_id, text));
};

/** How many turns, and observations of clients, pass in a scope: counted one by one. */
export const plainCounts = (
  events: readonly Event[],
  scope: Scope,
): { turns: number; observations: number } => {
  const { org, user, session, since = -Infinity, until = Infinity, asOf = Infinity } = scope;
  const inScope = events.filter(isTurn).filter(({ org_id, recorded_at, data }) => {
    const at = Date.parse(data.timestamp);
    return (
      org_id === org &&
      (user ?? data.user_id) === data.user_id &&
      (session ?? data.session_id) === data.session_id &&
      at >= since &&
      at <= until &&
      Date.parse(recorded_at) <= asOf
    );
  });
  return {
    turns: new Set(inScope.filter(({ data }) => data.active).map(({ id }) => id)).size,
    observations: new Set(inScope.flatMap(observedIn)).size,
  };
};
