import { expect, it, vi } from 'vitest';
import { unavailable } from '../../../../../services/core/errors.ts';
import { appendAdmitted } from '../../../../../services/core/log/append-admitted.ts';
import { notStored } from '../../../../../services/core/log/not-stored.ts';
import type { RecordAddress } from '../../../../../services/core/ports.ts';

const ADDRESS: RecordAddress = { topic: 'turns', partition: 0, offset: 7 };
const made = { records: [], answer: 'an answer' };

const portsOf = (append: () => Promise<RecordAddress[]>) => {
  const ended: string[] = [];
  const admission = {
    release: async (attempt: string) => void ended.push(`released ${attempt}`),
    leave: async (attempt: string) => void ended.push(`left ${attempt}`),
  };
  return { ports: { log: { append: vi.fn(append) }, admission }, ended };
};

const failing = (error: Error) => async (): Promise<RecordAddress[]> => {
  throw error;
};

it('appends, and leaves the attempt to who remembers it', async () => {
  const { ports, ended } = portsOf(async () => [ADDRESS]);
  const result = await appendAdmitted(ports, { attempt: 'a' }, async () => made);
  expect(result).toEqual({ ...made, addresses: [ADDRESS] });
  expect(ended).toEqual([]);
});

it('releases an attempt whose work failed, without an append', async () => {
  const { ports, ended } = portsOf(async () => [ADDRESS]);
  await expect(appendAdmitted(ports, { attempt: 'a' }, failing(new Error('work')) as never)).rejects.toThrow(
    'work',
  );
  expect(ports.log.append).not.toHaveBeenCalled();
  expect(ended).toEqual(['released a']);
});

it('looks at the deadline after the work and before the append', async () => {
  const { ports, ended } = portsOf(async () => [ADDRESS]);
  const order: string[] = [];
  const deadline = {
    signal: new AbortController().signal,
    at: 0,
    beginAppend: () => {
      order.push('deadline');
      throw unavailable('too late');
    },
  };
  const work = async () => {
    order.push('work');
    return made;
  };
  await expect(appendAdmitted(ports, { attempt: 'a', deadline }, work)).rejects.toThrow('too late');
  expect(order).toEqual(['work', 'deadline']);
  expect(ports.log.append).not.toHaveBeenCalled();
  expect(ended).toEqual(['released a']);
});

it('releases only what is certainly not in the log', async () => {
  for (const [error, end] of [
    [notStored(unavailable('full')), 'released a'],
    [unavailable('no acknowledgement'), 'left a'],
    [new Error('a bug'), 'left a'],
  ] as const) {
    const { ports, ended } = portsOf(failing(error));
    await expect(appendAdmitted(ports, { attempt: 'a' }, async () => made)).rejects.toBe(error);
    expect(ended).toEqual([end]);
  }
});
