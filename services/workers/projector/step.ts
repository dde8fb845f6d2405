import { makeYieldWhenDue } from '../../../core/fairness/yield-when-due.ts';
import { type Decode, type Event, organizationOf, type Prepare } from '../../../core/log/events.ts';
import type { Records } from '../../../core/log/follow.ts';
import { addressName, partitionName } from '../../../core/log/positions.ts';
import { pagesOf } from '../../../core/log/read.ts';
import type {
  EventLog,
  LogRecord,
  Positions,
  ProjectedBatch,
  ProjectionStore,
  RefusedWrites,
  StoreBehind,
  WrongVersion,
} from '../../../core/ports.ts';
import {
  noWrites,
  PROJECTION_NAMES,
  type ProjectionName,
  type Projections,
  projectEvent,
} from '../../../projections/all.ts';
import { NO_GUARD, type StepGuard } from '../deadly-steps.ts';
import { DEADLY, deadLetter, type Poison, type PoisonKind, poisonKind } from './dead-letters.ts';
import { type Counted, type LimitReached, makePoisonCount, type PoisonLimits } from './poison-limits.ts';

/**
 * Most bytes of an append of dead letters, unless one alone has more. The letter of an event has its whole
 * record, so those of one step may have more than the log takes in a request.
 */
const LETTERS_BYTES = 4 * 1024 * 1024;

export interface StepPorts {
  log: Pick<EventLog, 'append'>;
  store: Pick<ProjectionStore, 'apply'>;
  decode: Decode;
  prepare?: Prepare;
  projections: Projections;
  /** An event's writes to admission, where admission is a projection of its own. */
  logged?: (event: Event) => ProjectedBatch['logged'];
  limits: PoisonLimits;
  /** The number of organizations; default: those seen so far. */
  organizations?: () => Promise<number>;
  /**
   * Addresses that were set aside before this start, with the reason (`readSetAside`): they are not set aside
   * again, and a replay that reads them is not stopped by them.
   */
  setAside?: ReadonlyMap<string, string>;
  /** Finds the steps that end their thread. */
  guard?: Pick<StepGuard, 'begin' | 'computed'>;
}

export interface Applied {
  kind: 'applied';
  /** The next offset of the step's partition. */
  positions: Positions;
  events: number;
  deadLetters: number;
  /** The kind of each dead letter. */
  kinds: readonly PoisonKind[];
}

/** Nothing of the step was applied. */
export type Stopped = LimitReached;

/** `from`: what the stores must hold already; default: everything before the first record. */
export type Step = (
  records: Records,
  from?: number,
) => Promise<Applied | Stopped | StoreBehind | WrongVersion>;

/**
 * The poison of a record whose write an engine refuses permanently. The reason is stored with the dead
 * letter.
 */
const REFUSED: Poison = { kind: 'poison', step: 'apply', reason: 'RefusedWrites' };

/** An event, or a record that can't be decoded into events. */
interface Source {
  record: LogRecord;
  /** The event's place in its record; undefined for a whole record. */
  index?: number | undefined;
}

/** The result of folding a step's records. */
interface Folded {
  batch: ProjectedBatch;
  /** In the order of the log. */
  sources: Source[];
  /** The events that the writes of each projection come from, in the writes' order. */
  origins: Record<ProjectionName, Source[]>;
  poisoned: Map<Source, Poison>;
}

const nameOf = ({ record, index }: Source): string => addressName({ ...record, index });

/** The dead letters of steps of a partition that may be repeated. */
interface Lettered {
  /** Where these steps end. */
  next: number;
  /** The addresses whose letters are in the log. */
  names: Set<string>;
}

/**
 * decode → project → apply, for records of one partition in their order. A failed step changes only what its
 * repetition changes in the same way. A poison record is appended to the dead letters before it is skipped; a
 * step that would skip too many stops instead.
 */
export const makeStep = (ports: StepPorts): Step => {
  const { log, store, setAside = new Map<string, string>(), guard = NO_GUARD } = ports;
  const poisonCount = makePoisonCount(ports.limits, ports.organizations);
  /** By partition. */
  const lettered = new Map<string, Lettered>();

  const isNew = (source: Source): boolean => !setAside.has(nameOf(source));

  /** A repeated step appends again only what no earlier attempt stored. */
  const letteredBefore = (name: string, from: number, next: number): Set<string> => {
    const known = lettered.get(name);
    const isRepeated = known !== undefined && from < known.next;
    const names = isRepeated ? known.names : new Set<string>();
    lettered.set(name, { next: isRepeated ? Math.max(known.next, next) : next, names });
    return names;
  };

  const append = async (poisoned: ReadonlyMap<Source, Poison>, names: Set<string>): Promise<void> => {
    const letters = [...poisoned].filter(([source]) => isNew(source) && !names.has(nameOf(source)));
    const bytesOf = ([{ record }]: (typeof letters)[number]): number => record.value.length;
    for (const slice of pagesOf(letters, { most: LETTERS_BYTES, of: bytesOf })) {
      await log.append(slice.map(([{ record, index }, poison]) => deadLetter(record, poison, index)));
      for (const [source] of slice) names.add(nameOf(source));
    }
  };

  return async (records, from = records[0].offset) => {
    const { topic, partition } = records[0];
    const name = partitionName(records[0]);
    const next = records.at(-1)!.offset + 1;
    const isDeadly = guard.begin(records);
    const { batch, sources, origins, poisoned } = await fold(
      ports,
      records,
      record => isDeadly || setAside.get(addressName(record)) === DEADLY.reason,
    );
    guard.computed();
    batch.positions[name] = next;
    batch.range = { topic, partition, from, next };
    const count = () =>
      poisonCount.count(name, countedOf(sources, new Map([...poisoned].filter(([source]) => isNew(source)))));
    let counted = await count();
    if (counted.kind === 'stopped') return counted;

    // Dead letters are durable before the records are skipped.
    const names = letteredBefore(name, records[0].offset, next);
    await append(poisoned, names);
    for (let rest = batch; ; ) {
      const written = await store.apply(rest);
      if (written.kind !== 'written') return written;
      const { refused } = written;
      if (refused.size === 0) break;
      const letters = new Map(sourcesOf(refused, batch, origins).map(source => [source, REFUSED]));
      for (const [source, poison] of letters) poisoned.set(source, poison);
      // An engine that suddenly refuses all writes must stop the projector, too.
      counted = await count();
      if (counted.kind === 'stopped') return counted;
      await append(letters, names);
      rest = without(rest, refused);
    }
    counted.keep();
    const fresh = [...poisoned].filter(([source]) => isNew(source));
    return {
      kind: 'applied',
      positions: batch.positions,
      events: sources.length,
      deadLetters: fresh.length,
      kinds: fresh.map(([, poison]) => poisonKind(poison)),
    };
  };
};

/** Each event counts, as if it were a record of its own; a record that can't be decoded counts as one. */
const countedOf = (sources: readonly Source[], poisoned: ReadonlyMap<Source, Poison>): Counted[] => {
  const organizations = new Map<LogRecord, string | undefined>();
  return sources.map(source => {
    const poison = poisoned.get(source);
    const { record } = source;
    // A deadly record isn't parsed for its organization either.
    if (poison && poison !== DEADLY && !organizations.has(record))
      organizations.set(record, organizationOf(record));
    return { isPoison: poison !== undefined, org: poison && organizations.get(record) };
  });
};

/**
 * Where the refused writes of a step come from; nothing is refused as a rule, so that no map of all writes is
 * kept.
 */
const sourcesOf = (refused: RefusedWrites, batch: ProjectedBatch, origins: Folded['origins']): Source[] =>
  PROJECTION_NAMES.flatMap(name =>
    origins[name].filter((_, i) => refused.has((batch[name] as readonly object[])[i]!)),
  );

const without = (batch: ProjectedBatch, refused: RefusedWrites): ProjectedBatch => {
  const kept = PROJECTION_NAMES.map(name => [
    name,
    (batch[name] as readonly object[]).filter(write => !refused.has(write)),
  ]);
  return { ...batch, ...Object.fromEntries(kept) };
};

const fold = async (
  ports: StepPorts,
  records: Records,
  isDeadly: (record: LogRecord) => boolean,
): Promise<Folded> => {
  const folded: Folded = {
    batch: { ...noWrites(), logged: [], positions: {} },
    sources: [],
    origins: { recall: [], usage: [], accounts: [] },
    poisoned: new Map(),
  };
  const add = (source: Source, poison: Poison | undefined): void => {
    folded.sources.push(source);
    if (!poison) return;
    folded.poisoned.set(source, poison);
    if (ports.logged && poison !== DEADLY) folded.batch.logged.push(...passedOver(source));
  };
  const yieldWhenDue = makeYieldWhenDue();
  await ports.prepare?.(records);
  for (const record of records) {
    if (isDeadly(record)) {
      add({ record }, DEADLY);
      continue;
    }
    const decoded = await ports.decode(record);
    if (decoded.kind === 'poison') {
      add({ record }, decoded);
      continue;
    }
    // Erased events are folded too: the folds know what is still billed.
    for (const event of decoded.events) {
      // A page may take seconds, in which the process has to send heartbeats.
      await yieldWhenDue();
      const source = { record, index: event.index };
      add(source, project(ports, folded, event, source));
    }
  }
  return folded;
};

/**
 * Returns what admission is told of a skipped event: its organization, whose tail may hold it. It bills
 * nothing.
 */
export const passedOver = (source: Source): ProjectedBatch['logged'] => {
  const { topic, partition, offset } = source.record;
  const org = topic === 'turns' ? organizationOf(source.record) : undefined;
  if (org === undefined) return [];
  const tokens = { tokensIn: 0, tokensOut: 0 };
  return [{ id: nameOf(source), topic, partition, offset, org, day: '', tokens }];
};

/** Adds an event's writes; returns the poison of an event that can't be folded. */
const project = (
  { projections, logged = () => [] }: StepPorts,
  { batch, origins }: Folded,
  event: Event,
  source: Source,
): Poison | undefined => {
  try {
    // Nothing is added before every fold has taken the event.
    const writes = projectEvent(projections, event);
    const learned = logged(event);
    for (const name of PROJECTION_NAMES) {
      for (const one of writes[name] ?? []) {
        (batch[name] as object[]).push(one);
        origins[name].push(source);
      }
    }
    batch.logged.push(...learned);
    return undefined;
  } catch (error) {
    // Only the error's name: its message may quote the event.
    return { kind: 'poison', step: 'project', reason: error instanceof Error ? error.name : 'fault' };
  }
};
