import { expect, it } from 'vitest';
import { nextSend } from '../../../../../infra/cluster/kafka/next-send.ts';
import type { Outgoing } from '../../../../../infra/cluster/kafka/records.ts';

const KIB = 1024;
const MIB = 1024 * KIB;

let made = 0;
/** The records of a request to one partition. */
const request = (partition: number, ...bytes: number[]) => {
  const whole = { bytes: bytes.reduce((sum, one) => sum + one, 0) };
  return bytes.map(one => ({
    ...({ topic: 'turns', partition, bytes: one, message: {} } as Outgoing),
    request: whole,
    name: made++,
  }));
};

const namesOf = (records: readonly { name: number }[]): number[] => records.map(({ name }) => name);

it('sends small requests with the next send, however much of larger ones waits before them', () => {
  const large = Array.from({ length: 8 }, (_, partition) => request(partition, MIB, MIB, MIB)).flat();
  const small = request(9, KIB);
  const { batch, rest } = nextSend([...large, ...small]);
  expect(namesOf(batch)).toEqual(namesOf([large[0]!, ...small]));
  expect(namesOf(rest)).toEqual(namesOf(large.slice(1)));
});

it('sends a part of a large request with each send, however many small ones wait before it', () => {
  const small = Array.from({ length: 5_000 }, (_, n) => request(n % 4, KIB)).flat();
  const large = request(5, 2 * MIB, 2 * MIB);
  const { batch, rest } = nextSend([...small, ...large]);
  expect(batch.at(-1)).toBe(large[0]);
  expect(batch).toHaveLength(2_000);
  expect(rest.at(-1)).toBe(large[1]);
});

it('sends a large request whole where it fits, and keeps the order of its records', () => {
  const one = request(1, 400 * KIB, 400 * KIB, 400 * KIB);
  const first = nextSend(one);
  expect(namesOf(first.batch)).toEqual(namesOf(one.slice(0, 2)));
  expect(namesOf(nextSend(first.rest).batch)).toEqual(namesOf(one.slice(2)));
  const record = request(1, 6 * MIB);
  expect(nextSend(record)).toEqual({ batch: record, rest: [] });
});
