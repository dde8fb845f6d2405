import { expect, it, vi } from 'vitest';
import { unavailable } from '../../../../core/errors.ts';
import { appendOrRelease, releasing } from '../../../../core/log/append-or-release.ts';
import { notStored } from '../../../../core/log/not-stored.ts';
import type { NewRecord, RecordAddress } from '../../../../core/ports.ts';

const ADDRESS: RecordAddress = { topic: 'turns', partition: 0, offset: 7 };
const RECORDS: NewRecord[] = [{ topic: 'turns', key: 'key', value: Buffer.from('value') }];

const portsOf = (append: () => Promise<RecordAddress[]>) => {
  const ended: string[] = [];
  const admission = {
    release: async (attempt: string) => void ended.push(`released ${attempt}`),
    leave: async (attempt: string) => void ended.push(`left ${attempt}`),
  };
  return { ports: { log: { append: vi.fn(append) }, admission }, ended };
};

it('appends, and leaves the attempt to who remembers it', async () => {
  const { ports, ended } = portsOf(async () => [ADDRESS]);
  expect(await appendOrRelease(ports, { attempt: 'a' }, RECORDS)).toEqual([ADDRESS]);
  expect(ports.log.append).toHaveBeenCalledExactlyOnceWith(
    RECORDS,
    { kind: 'billed', attempt: 'a' },
    undefined,
  );
  expect(ended).toEqual([]);
});

it('tells the log until when its answer is waited for', async () => {
  const { ports } = portsOf(async () => [ADDRESS]);
  const { signal } = new AbortController();
  const deadline = { signal, at: 5_000, appendUntil: 8_000, beginAppend: () => {} };
  await appendOrRelease(ports, { attempt: 'a', deadline }, RECORDS);
  expect(ports.log.append).toHaveBeenCalledExactlyOnceWith(RECORDS, { kind: 'billed', attempt: 'a' }, 8_000);
});

it('releases an attempt whose work before the append failed, and rejects with the error', async () => {
  const { ports, ended } = portsOf(async () => [ADDRESS]);
  const error = new Error('work');
  await expect(Promise.reject(error).catch(releasing(ports.admission, 'a'))).rejects.toBe(error);
  expect(ended).toEqual(['released a']);
});

it('releases an attempt that was cancelled before the append', async () => {
  const { ports, ended } = portsOf(async () => [ADDRESS]);
  const deadline = {
    signal: new AbortController().signal,
    at: 0,
    appendUntil: 0,
    beginAppend: () => {
      throw unavailable('too late');
    },
  };
  await expect(appendOrRelease(ports, { attempt: 'a', deadline }, RECORDS)).rejects.toThrow('too late');
  expect(ports.log.append).not.toHaveBeenCalled();
  expect(ended).toEqual(['released a']);
});

it('releases only what is certainly not in the log', async () => {
  for (const [error, end] of [
    [notStored(unavailable('full')), 'released a'],
    [unavailable('no acknowledgement'), 'left a'],
    [new Error('a bug'), 'left a'],
  ] as const) {
    const { ports, ended } = portsOf(() => Promise.reject(error));
    await expect(appendOrRelease(ports, { attempt: 'a' }, RECORDS)).rejects.toBe(error);
    expect(ended).toEqual([end]);
  }
});
