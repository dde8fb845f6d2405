import { describe, expect, it } from 'vitest';
import { encodeEvent } from '../../../../../core/log/encode.ts';
import { ALL_WRITTEN } from '../../../../../core/ports/projection/projection-store.ts';
import type { Logged, Positions } from '../../../../../core/ports.ts';
import { HOUR_MS } from '../../../../../core/time.ts';
import type { HeldCheckpoint } from '../../../../../infra/cluster/redis/admission/rebuild/checkpoint.ts';
import type { AccountEvent } from '../../../../../projections/accounts/accounts-projection.ts';
import { type RepairPorts, repairRedis } from '../../../../../services/cluster/accounts/repair.ts';
import { keyCreated, keyRevoked, signedUp } from '../../../../contracts/account-store.contract.ts';
import { memoryLog } from '../../../../support/engines/memory-log.ts';

const NOW = Date.UTC(2026, 10, 23, 12);

const held = (applied: Positions, age = 1_000): HeldCheckpoint => ({ checkpoint: { applied }, age });

/**
 * Records what a repair does, in order, over a log of account events and a record of turns that nobody can
 * decode.
 */
const world = async () => {
  const log = memoryLog(1);
  const events = [signedUp('acme'), keyCreated('acme', 'k2', 5), keyRevoked('acme', 'k2', 6)];
  for (const event of events)
    await log.append([{ topic: 'accounts', key: event.org_id, value: encodeEvent(event) }]);
  const broken = { id: 'x', type: 'turns.recorded', org_id: 'acme', recorded_at: 'never' };
  await log.append([{ topic: 'turns', key: 'acme', value: Buffer.from(JSON.stringify(broken)) }]);
  const steps: string[] = [];
  const applied: AccountEvent[] = [];
  const logged: Logged[] = [];
  const settled: Positions = { 'turns/0': 1, 'usage/0': 0 };
  const ports = (checkpoint: RepairPorts['held']): RepairPorts => ({
    held: checkpoint,
    log: { ...log, committed: async () => settled } as never,
    clock: () => NOW,
    keys: {
      beginAnew: async () => void steps.push('cached keys are void'),
      byId: async () => undefined,
      destroyKeys: async () => {},
      close: async () => void steps.push('closed'),
    },
    accounts: {
      apply: async batch => {
        steps.push(`${batch.length} account events`);
        applied.push(...batch);
        return ALL_WRITTEN;
      },
    },
    admission: {
      catchUp: async ({ from, ends, committed, readLogged }) => {
        steps.push(`admission from ${from['turns/0'] ?? 0}`);
        for await (const page of readLogged(from, ends)) logged.push(...page);
        return { events: logged.length, settled: await committed() };
      },
    },
  });
  return { log, ports, steps, applied, logged };
};

describe('the repair of Redis', () => {
  /**
   * Switched off by hand, in repair.ts: accounts from 0 → 3 account events; poison is passed over → nothing
   * leaves the tail.
   */
  it('reads on from the checkpoint, with no cached key, and says up to where Redis holds the log', async () => {
    const { log, ports, steps, applied, logged } = await world();
    const repaired = await repairRedis(ports(held({ 'accounts/0': 1 })));
    expect(steps).toEqual(['cached keys are void', '2 account events', 'admission from 0', 'closed']);
    expect(applied.map(({ type }) => type)).toEqual(['api_key.created', 'api_key.revoked']);
    // A record that can't be decoded leaves its organization's tail, and bills nothing.
    expect(logged).toMatchObject([{ org: 'acme', offset: 0, tokens: { tokensIn: 0, tokensOut: 0 } }]);
    const { 'accounts/0': accounts } = await log.ends();
    expect(repaired).toEqual({
      kind: 'repaired',
      events: 3,
      applied: { 'accounts/0': accounts, 'turns/0': 1, 'usage/0': 0 },
    });
  });

  it.each([
    ['without a checkpoint', undefined, 'no checkpoint'],
    ['from a checkpoint of long ago', held({}, HOUR_MS + 1), 'too old'],
    ['from one of the future', held({}, -HOUR_MS - 1), 'too old'],
    ['from one of another log', held({ 'accounts/0': 4 }), 'beyond the log'],
  ])('is impossible %s, and changes nothing', async (_, checkpoint, reason) => {
    const { ports, steps } = await world();
    const outcome = await repairRedis(ports(checkpoint));
    expect(outcome).toEqual({ kind: 'impossible', reason: expect.stringContaining(reason) });
    expect(steps).toEqual(['closed']);
  });
});
