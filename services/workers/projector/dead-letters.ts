import type { Decoded } from '../../core/log/events.ts';
import type { LogRecord, NewRecord } from '../../core/ports.ts';

/** Why a record can't be read, an event can't be folded, or what was folded of it is taken by no engine. */
export type Poison =
  | Extract<Decoded, { kind: 'poison' }>
  | { kind: 'poison'; step: 'project' | 'apply'; reason: string };

/** A dead letter as it is counted: `data: /tokens_in minimum` is a fault of `data`. */
export interface PoisonKind {
  step: Poison['step'];
  reason: string;
}

export const poisonKind = ({ step, reason }: Poison): PoisonKind => ({
  step,
  reason: reason.split(':')[0]!,
});

/** The record as it was, keyed by where it came from, with the reason in its headers. */
export const deadLetter = (record: LogRecord, poison: Poison): NewRecord => ({
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
  },
});
