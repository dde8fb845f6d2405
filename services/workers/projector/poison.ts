import type { Decoded } from '../../../core/log/events.ts';
import type { LogRecord, NewRecord } from '../../../core/ports.ts';

/** Why a record can't be decoded, its event can't be folded or enriched, or an engine refuses its writes. */
export type Poison =
  | Extract<Decoded, { kind: 'poison' }>
  | { kind: 'poison'; step: 'project' | 'apply' | 'extract'; reason: string };

/**
 * The poison of a record that ended the projector's thread, alone, more than once. No projector tries it
 * again.
 */
export const DEADLY: Poison = { kind: 'poison', step: 'project', reason: 'EndsTheProjector' };

/** How a dead letter is counted: the reason `data: /tokens_in minimum` counts as `data`. */
export interface PoisonKind {
  step: Poison['step'];
  reason: string;
}

export const poisonKind = ({ step, reason }: Poison): PoisonKind => ({
  step,
  reason: reason.split(':')[0]!,
});

/** Header of a dead letter of one event, whose record goes on: the event's index in it. */
export const INDEX = 'index';

/**
 * The unchanged record, keyed by its topic, with the reason in its headers; `index`: of one of its events
 * alone.
 */
export const deadLetter = (record: LogRecord, poison: Poison, index?: number): NewRecord => ({
  topic: 'dead-letters',
  key: record.topic,
  value: record.value,
  headers: {
    ...record.headers,
    reason: poison.reason,
    step: poison.step,
    topic: record.topic,
    partition: String(record.partition),
    offset: String(record.offset),
    ...(index !== undefined && { [INDEX]: String(index) }),
  },
});
