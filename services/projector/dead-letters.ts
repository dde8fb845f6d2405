import type { Decoded } from '../events.ts';
import type { LogRecord, NewRecord } from '../ports.ts';

/** The record as it was, keyed by where it came from, with the reason in its headers. */
export const deadLetter = (record: LogRecord, poison: Extract<Decoded, { kind: 'poison' }>): NewRecord => ({
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
