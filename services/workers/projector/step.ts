import { organizationOf } from '../../../core/log/events.ts';
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
import { type ConsumedStep, instant } from '../../../core/tracing/stages.ts';
import { PROJECTION_NAMES } from '../../../projections/all.ts';
import { NO_GUARD, type StepGuard } from '../deadly-steps.ts';
import { type Folded, type FoldPorts, fold, nameOf, type Source } from './fold-records.ts';
import { DEADLY, deadLetter, type Poison, type PoisonKind, poisonKind } from './poison.ts';
import { type Counted, type LimitReached, makePoisonCount, type PoisonLimits } from './poison-limits.ts';

/**
 * Most bytes of an append of dead letters, unless one alone has more. The letter of an event has its whole
 * record, so those of one step may have more than the log takes in a request.
 */
const LETTERS_BYTES = 4 * 1024 * 1024;

export interface StepPorts extends FoldPorts {
  log: Pick<EventLog, 'append'>;
  store: Pick<ProjectionStore, 'apply'>;
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
  /** For the span of the step, where requests are linked to it. */
  step?: ConsumedStep | undefined;
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
    const began = instant();
    const isDeadly = guard.begin(records);
    const { batch, sources, origins, poisoned, links } = await fold(
      ports,
      records,
      record => isDeadly || setAside.get(addressName(record)) === DEADLY.reason,
    );
    guard.computed();
    const folded = instant();
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
      step: links.size === 0 ? undefined : stepOf(records, links, began, folded),
    };
  };
};

const stepOf = (
  records: Records,
  links: ReadonlySet<string>,
  began: number,
  folded: number,
): ConsumedStep => {
  const ended = instant();
  const { topic, partition } = records[0];
  return {
    name: 'projector',
    topic,
    partition,
    records: records.length,
    links: [...links],
    stages: [
      { name: 'fold', began, ended: folded },
      { name: 'apply', began: folded, ended },
    ],
    began,
    ended,
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
