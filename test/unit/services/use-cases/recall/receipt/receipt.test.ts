import { describe, expect, it } from 'vitest';
import { encodeEvent } from '../../../../../../core/log/encode.ts';
import { makeDecode } from '../../../../../../core/log/events.ts';
import { usageKey } from '../../../../../../core/log/usage-key.ts';
import type { ChosenHit, KnownFact, Scope, TailTurn } from '../../../../../../core/ports.ts';
import {
  MOST_NAMING,
  MOST_RECEIPT_HITS,
  type RecallReceipt,
} from '../../../../../../schemas/events/receipt.ts';
import { registry } from '../../../../../../schemas/events/registry.ts';
import type { RecallMetered } from '../../../../../../schemas/events/usage.ts';
import { makeReadReceipt } from '../../../../../../services/use-cases/recall/receipt/read-receipt.ts';
import {
  openReceipt,
  parseReceiptId,
  receiptId,
  receiptOf,
} from '../../../../../../services/use-cases/recall/receipt/receipt.ts';
import type { UsedHit } from '../../../../../../services/use-cases/recall/receipt/used.ts';
import { billedOf } from '../../../../../../services/use-cases/transfer/without-receipt.ts';
import { principal } from '../../../../../contracts/openers/listing.ts';
import { memoryLog } from '../../../../../support/engines/memory-log.ts';
import { sessionKey, tailTurn, turnRecorded } from '../../../../../support/worlds/builders.ts';

const ID = 'rcl_5a0f1d9c-5f0e-4f5b-9f53-0a6d1a7a2f10';
const DAY_MS = 86_400_000;
const NOW = Date.parse('2026-03-10T08:00:00.000Z');
const turn = tailTurn(turnRecorded(1, { text: 'I moved to Lyon.' }));
const key = sessionKey();

const turnHit = (score = 0.5): ChosenHit => ({
  kind: 'turn',
  score,
  explanation: undefined,
  fragment: { key: 1, ...turn, kind: 'turn' } as never,
});
const entityHit = (n: number, turnIds: string[] = [turn.id]): ChosenHit => ({
  kind: 'entity',
  score: 0.1,
  entity: {
    id: `ent_${String(n).padStart(24, '0')}`,
    label: `Name ${n}`,
    turnIds,
    mentionedAs: `ent_${String(n).padStart(24, '0')}`,
  },
});
const keeps = async (
  scope: Partial<Scope> = { user: 'ada' },
  hits: readonly ChosenHit[] = [turnHit(), entityHit(1)],
  held: readonly KnownFact[] = [],
  { passages = false, used_in = 'hits' as UsedHit['used_in'] } = {},
) => {
  const asked: string[][] = [];
  const receipt = await receiptOf(
    {
      keys: {
        forSession: async (...names) => {
          asked.push(names);
          return key;
        },
      },
      scope: { org: 'acme', ...scope },
      principal: principal({ userId: 'boss' }),
      id: ID,
      q: 'Where does Ada live?',
      mode: 'active',
      passages,
    },
    { used: () => hits.map(hit => ({ hit, used_in })), held, confidence: 0.5 },
  );
  return { receipt, asked };
};

/** A log with one recall, and what reads it. */
const world = async ({
  now = NOW,
  destroyed = false,
  tail = [] as TailTurn[],
  receipt = undefined as RecallReceipt | undefined,
} = {}) => {
  const log = memoryLog();
  const data = { user_id: 'boss', tokens_in: 1, tokens_out: 2, ...(receipt && { receipt }) };
  const [address] = await log.append([
    {
      topic: 'usage',
      key: usageKey('acme', ID),
      value: encodeEvent({
        id: ID,
        type: 'recall.metered',
        org_id: 'acme',
        recorded_at: new Date(NOW).toISOString(),
        correlation_id: 'c',
        data,
      }),
      headers: {},
    },
  ]);
  const order: string[] = [];
  const read = makeReadReceipt({
    log,
    decode: makeDecode({ byId: async () => undefined, destroyKeys: async () => {} }),
    keys: { byId: async () => (destroyed ? undefined : key.sealing) },
    admission: {
      tail: async () => {
        order.push('tail');
        return tail;
      },
    } as never,
    details: {
      judgements: async () => [],
      turnsOf: async () => {
        order.push('index');
        return [];
      },
      entitiesOf: async (_scope: Scope, ids: readonly string[]) =>
        ids.length > 0 ? [{ id: `ent_${'1'.padStart(24, '0')}`, label: 'Lyon', turnIds: [...ids] }] : [],
    } as never,
    listing: { observation: async () => undefined } as never,
    clock: () => now,
  });
  return { read, order, id: receiptId(ID, address!) };
};

describe('what is kept', () => {
  it('has turns in the clear and everything that words could be guessed from sealed', async () => {
    const { receipt } = await keeps();
    const text = JSON.stringify(receipt);
    expect(text).toContain(turn.id);
    expect(text).not.toMatch(/ent_|Name 1|Where does|"ada"|boss/);
    expect(await openReceipt({ byId: async () => key.sealing }, 'acme', ID, receipt)).toEqual({
      q: 'Where does Ada live?',
      ids: [`ent_${'1'.padStart(24, '0')}`],
    });
    // It is of this recall and of this organization.
    for (const [org, id] of [
      ['other', ID],
      ['acme', `${ID}0`],
    ] as const)
      await expect(openReceipt({ byId: async () => key.sealing }, org, id, receipt)).rejects.toThrow();
  });

  it('is sealed with the session that was searched, or with all of a user, or with who asked', async () => {
    const keyOf = async (scope: Partial<Scope>) => (await keeps(scope)).asked[0]!;
    const all = ' '.repeat(257);
    expect(await keyOf({ user: 'ada', session: 's' })).toEqual(['acme', 'ada', 's']);
    expect(await keyOf({ user: 'ada' })).toEqual(['acme', 'ada', all]);
    expect(await keyOf({})).toEqual(['acme', 'boss', all]);
    expect(await keyOf({ session: 's' })).toEqual(['acme', 'boss', all]);
  });

  it('is bounded, and always an event that is read', async () => {
    const many = Array.from({ length: 200 }, (_, n) => entityHit(n, Array(30).fill(turn.id)));
    const { receipt } = await keeps({ user: 'ada' }, many);
    expect(receipt.hits).toHaveLength(MOST_RECEIPT_HITS);
    expect(receipt.hits[0]!.turns).toHaveLength(MOST_NAMING);
    const data: RecallMetered = { user_id: 'a', tokens_in: 1, tokens_out: 1, receipt };
    expect(registry.checkData('recall.metered', 1, data)).toMatchObject({ ok: true });
    expect(JSON.stringify(data).length).toBeLessThan(40_000);
    expect(billedOf(data)).toEqual({ user_id: 'a', tokens_in: 1, tokens_out: 1 });
  });
});

describe('what is read', () => {
  it('reads the tail before the index, and what either has', async () => {
    const { receipt } = await keeps();
    const { read, order, id } = await world({ receipt, tail: [turn] });
    const answer = await read(principal(), id);
    expect(order).toEqual(['tail', 'index']);
    expect(answer.hits).toMatchObject([
      { kind: 'turn', status: 'shown', id: turn.id, content: 'I moved to Lyon.' },
      { kind: 'entity', status: 'shown', label: 'Lyon' },
    ]);
  });

  it('shows the part of a long turn that the answer had, and always says which', async () => {
    const words = 'It leaks, 😀 it does.';
    const text = `😀 It is blue. ${words} It stays.`;
    const from = text.indexOf(words);
    const hit = { ...turnHit(), part: { from, to: from + words.length } } as ChosenHit;
    (hit as { fragment: { text: string } }).fragment.text = text;
    const readAs = async (how: { passages?: boolean; used_in?: UsedHit['used_in'] }) => {
      const { receipt } = await keeps({ user: 'ada' }, [hit], [], how);
      const data: RecallMetered = { user_id: 'a', tokens_in: 1, tokens_out: 1, receipt };
      expect(registry.checkData('recall.metered', 1, data)).toMatchObject({ ok: true });
      const { read, id } = await world({ receipt, tail: [{ ...turn, text }] });
      return (await read(principal(), id)).hits[0]!;
    };
    const all = await readAs({});
    expect(Array.from(text).slice(all.part!.from, all.part!.to).join('')).toBe(words);
    expect(all.content).toBe(text);
    expect(await readAs({ passages: true })).toEqual({
      ...all,
      content: words,
      text: all.text!.replace(text, words),
    });
    expect(await readAs({ used_in: 'context' })).toMatchObject({ content: words, part: all.part });
  });

  it('finds an entity of several names by the one that its turns say', async () => {
    const hit = entityHit(1);
    const listed = { ...hit, entity: { ...(hit as { entity: object }).entity, id: 'ent_of_another_name' } };
    const { receipt } = await keeps({ user: 'ada' }, [listed as ChosenHit]);
    const { read, id } = await world({ receipt });
    expect((await read(principal(), id)).hits).toMatchObject([{ status: 'shown', label: 'Lyon' }]);
  });

  it('gives away nothing once the key is destroyed', async () => {
    const { receipt } = await keeps();
    const { read, id } = await world({ receipt, destroyed: true });
    const { q, hits } = await read(principal(), id);
    expect(q).toBeNull();
    expect(hits).toEqual([
      { kind: 'turn', used_in: 'hits', status: 'erased', id: turn.id, score: 0.5 },
      { kind: 'entity', used_in: 'hits', status: 'erased', id: null, score: 0.1 },
    ]);
  });

  it('shows no turn of another user to whoever sees one alone', async () => {
    const { receipt } = await keeps();
    const { read, id } = await world({ receipt, tail: [{ ...turn, user: 'ben' }] });
    const [hit] = (await read(principal({ roles: ['memory:read'] }), id)).hits;
    expect(hit).toMatchObject({ status: 'erased' });
  });

  it('ends after 90 days, to the millisecond', async () => {
    const { receipt } = await keeps();
    const end = NOW + 90 * DAY_MS;
    const last = await world({ receipt, now: end - 1 });
    expect(await last.read(principal(), last.id)).toMatchObject({ expires_at: new Date(end).toISOString() });
    const over = await world({ receipt, now: end });
    await expect(over.read(principal(), over.id)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('is not found in another organization, without a receipt, or by another id', async () => {
    const { receipt } = await keeps();
    const { read, id } = await world({ receipt });
    const notFound = { code: 'not_found' };
    await expect(read(principal({ orgId: 'other' }), id)).rejects.toMatchObject(notFound);
    const { partition, offset } = parseReceiptId(id)!;
    for (const other of [
      receiptId(`${ID.slice(0, -1)}1`, { partition, offset }),
      receiptId(ID, { partition, offset: offset + 1 }),
      receiptId(ID, { partition: 99, offset }),
      ID,
      '',
      `${id}.0`,
      `${id}9999999999999999`,
    ])
      await expect(read(principal(), other)).rejects.toMatchObject(notFound);
    const without = await world();
    await expect(without.read(principal(), without.id)).rejects.toMatchObject(notFound);
  });
});

/** As the first release wrote it: it must be read for ever. */
it('reads a receipt that is in the log', () => {
  const data = {
    user_id: 'ada',
    tokens_in: 2,
    tokens_out: 30,
    receipt: {
      owner: '0123456789abcdef0123456789abcdef',
      session: null,
      mode: 'deep',
      as_of: null,
      confidence: 0.25,
      ranker: '2026-11-21-0a1b2c3d4e5f',
      hits: [
        { kind: 'turn', used_in: 'hits', score: 0.5, id: 'trn_00000000000000000000000000000000' },
        { kind: 'entity', used_in: 'context', score: 0.1, turns: ['trn_00000000000000000000000000000000'] },
        { kind: 'observation', used_in: 'facts', score: null },
      ],
      key_id: 'k',
      sealed: 'AAAA',
    },
  };
  expect(registry.checkData('recall.metered', 1, data)).toEqual({ ok: true, value: data });
});
