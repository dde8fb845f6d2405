import { makeYieldWhenDue } from '../../../core/fairness/yield-when-due.ts';
import { type Decode, type Event, organizationOf, type Prepare } from '../../../core/log/events.ts';
import type { Records } from '../../../core/log/follow.ts';
import { addressName } from '../../../core/log/positions.ts';
import type { LogRecord, ProjectedBatch } from '../../../core/ports.ts';
import {
  noWrites,
  PROJECTION_NAMES,
  type ProjectionName,
  type Projections,
  projectEvent,
} from '../../../projections/all.ts';
import { DEADLY, type Poison } from './poison.ts';

export interface FoldPorts {
  decode: Decode;
  prepare?: Prepare;
  projections: Projections;
  /** An event's writes to admission, where admission is a projection of its own. */
  logged?: (event: Event) => ProjectedBatch['logged'];
  /**
   * Returns Unix milliseconds: steps link to the requests of what was recorded since then. Default: to none.
   * A projection that is built again must not link to requests of long ago.
   */
  linksSince?: () => number;
}

/** An event, or a record that can't be decoded into events. */
export interface Source {
  record: LogRecord;
  /** The event's index in its record; undefined for a whole record. */
  index?: number | undefined;
}

/** The result of folding a step's records. */
export interface Folded {
  batch: ProjectedBatch;
  /** In the order of the log. */
  sources: Source[];
  /** The events that the writes of each projection come from, in the writes' order. */
  origins: Record<ProjectionName, Source[]>;
  poisoned: Map<Source, Poison>;
  /** The `traceparent` of each request whose records these are, where its spans are exported. */
  links: Set<string>;
}

export const nameOf = ({ record, index }: Source): string => addressName({ ...record, index });

/** Decodes and projects the records of a step. */
export const fold = async (
  ports: FoldPorts,
  records: Records,
  isDeadly: (record: LogRecord) => boolean,
): Promise<Folded> => {
  const folded: Folded = {
    batch: { ...noWrites(), logged: [], positions: {} },
    sources: [],
    origins: Object.fromEntries(PROJECTION_NAMES.map(name => [name, []])) as unknown as Folded['origins'],
    poisoned: new Map(),
    links: new Set(),
  };
  const add = (source: Source, poison: Poison | undefined): void => {
    folded.sources.push(source);
    if (!poison) return;
    folded.poisoned.set(source, poison);
    if (ports.logged && poison !== DEADLY) folded.batch.logged.push(...passedOver(source));
  };
  const yieldWhenDue = makeYieldWhenDue();
  const since = ports.linksSince?.() ?? Number.POSITIVE_INFINITY;
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
    const { traceparent } = record.headers;
    if (traceparent !== undefined && Date.parse(decoded.events[0]?.recorded_at ?? '') >= since)
      folded.links.add(traceparent);
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
  { projections, logged = () => [] }: Pick<FoldPorts, 'projections' | 'logged'>,
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
