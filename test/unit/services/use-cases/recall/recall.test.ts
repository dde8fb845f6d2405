import { expect, it, vi } from 'vitest';
import type { Admission, RecordAddress, SearchResult } from '../../../../../core/ports.ts';
import { MOST_RECEIPT_HITS } from '../../../../../schemas/events/receipt.ts';
import { makeRecall } from '../../../../../services/use-cases/recall/recall.ts';
import { principal } from '../../../../contracts/openers/listing.ts';
import { sessionKey } from '../../../../support/worlds/builders.ts';

const NOTHING: SearchResult = { chosen: [], quoted: [], holding: [], confidence: 0, without: [] };

const open = (search: () => Promise<SearchResult>, forSession = async () => sessionKey()) => {
  const ended: string[] = [];
  const asked: number[] = [];
  const admission: Pick<Admission, 'admit' | 'remember' | 'release' | 'leave'> = {
    admit: async ({ tokensIn }) => {
      asked.push(tokensIn);
      return { kind: 'admitted', attempt: 'a', fresh: new Map(), inactive: new Set(), tail: [] };
    },
    remember: async attempt => {
      ended.push(`remembered ${attempt}`);
      return new Map();
    },
    release: async attempt => void ended.push(`released ${attempt}`),
    leave: async attempt => void ended.push(`left ${attempt}`),
  };
  const append = vi.fn(async (): Promise<RecordAddress[]> => [{ topic: 'usage', partition: 0, offset: 7 }]);
  const recall = makeRecall({
    log: { append },
    keys: { forSession },
    admission: admission as Admission,
    search,
    settledUntil: async () => 0,
    countTokens: async (_org, texts) => texts.map(() => 1),
    clock: () => Date.parse('2026-03-10T12:00:00Z'),
  });
  const ask = (receipt = true) =>
    recall(
      principal(),
      { scope: { org_id: 'acme' }, q: 'Who feeds the heron?', receipt },
      { correlationId: '00000000-0000-4000-8000-000000000001', caps: { tokensIn: 0, tokensOut: 0 } },
    );
  return { ask, append, ended, asked };
};

it('remembers what it metered', async () => {
  const { ask, append, ended } = open(async () => NOTHING);
  expect(await ask()).toMatchObject({ hits: { turns: [] }, usage: { tokens_in: 1 } });
  expect(append).toHaveBeenCalledOnce();
  expect(ended).toEqual(['remembered a']);
});

it('asks the quota for the most that a receipt may cost, and for nothing of it without one', async () => {
  const { ask, asked } = open(async () => NOTHING);
  await ask(true);
  await ask(false);
  expect(asked).toEqual([1 + MOST_RECEIPT_HITS, 1]);
});

it('says which models took no part, and nothing of them where all did', async () => {
  const { ask } = open(async () => ({ ...NOTHING, without: ['reader'] }));
  expect(await ask()).toMatchObject({ degraded: ['reader'] });
  expect(await open(async () => NOTHING).ask()).not.toHaveProperty('degraded');
});

it.each([
  ['its search', () => open(() => Promise.reject(new Error('away')))],
  [
    'its receipt',
    () =>
      open(
        async () => NOTHING,
        () => Promise.reject(new Error('away')),
      ),
  ],
])('releases what was admitted when %s fails, and meters nothing', async (_what, opened) => {
  const { ask, append, ended } = opened();
  await expect(ask()).rejects.toThrow('away');
  expect(append).not.toHaveBeenCalled();
  expect(ended).toEqual(['released a']);
});
