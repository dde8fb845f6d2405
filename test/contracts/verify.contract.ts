import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { VerifyReport } from '../../core/operator/verification.ts';
import { observationId, scopeDigest, statementObservationId } from '../../domain/identity/identity.ts';
import { AUDIT_KEPT_MS } from '../../projections/audit/audit-projection.ts';
import { reportOf, type VerifyOptions } from '../../services/operations/verify/verify.ts';
import { rounds } from '../support/long.ts';
import {
  auditNoted,
  entityCorrected,
  extracted,
  memoryErased,
  retracted,
  sessionTitled,
  statement,
  turnRecorded,
} from '../support/worlds/builders.ts';
import { someEvents, type VerifyBench, verifyWorld } from './openers/verify.ts';

type World = ReturnType<typeof verifyWorld>;

/** Tests what a comparison of any store with the log finds, and what it doesn't. */
export const describeVerify = (name: string, open: (world: World) => Promise<VerifyBench>): void => {
  describe(`verify: ${name}`, () => {
    let world: World;
    let bench: VerifyBench;
    beforeEach(async () => {
      world = verifyWorld();
      bench = await open(world);
    });
    afterEach(() => bench.close());

    const verified = (options?: VerifyOptions): Promise<VerifyReport> =>
      reportOf(world.verify(bench.rows, options));
    const fill = async (): Promise<void> => {
      await world.append(someEvents());
      await world.project(bench.store);
    };
    const named = ({ named }: VerifyReport) => named.map(({ how, kind, id }) => ({ how, kind, id }));

    it('finds nothing where nothing differs, and the same digests on both sides', async () => {
      await fill();
      const report = await verified();
      expect(report.named).toEqual([]);
      expect(report).toMatchObject({ differences: 0, sampled: 1 });
      // Turns, identities, observations, mentions, enrichments; days, all that was billed; documents.
      expect(report.rows).toBeGreaterThan(90 * 6);
      for (const name of ['recall', 'usage', 'accounts', 'audit', 'activity'] as const) {
        expect(report.digests[name]?.log).toMatch(/[1-9a-f]/);
        expect(report.digests[name]?.store).toBe(report.digests[name]?.log);
      }
    });

    it('has nothing to say of an empty log', async () => {
      expect(await verified()).toMatchObject({ rows: 0, differences: 0 });
    });

    it('names the turn that was changed, the one that is missing and the one that nobody said', async () => {
      await fill();
      const ids = [
        turnRecorded(10, { user: 'grace', session: 's2' }).id,
        turnRecorded(21, { session: 's1', user: 'ada' }).id,
      ];
      const other = `trn_${'ab'.repeat(16)}`;
      await bench.damage.change(ids[0]!);
      await bench.damage.remove(ids[1]!);
      await bench.damage.copy(turnRecorded(22, { user: 'grace', session: 's2' }).id, other);
      const report = await verified({ projections: ['recall'] });
      const rows = named(report).filter(({ kind, how }) => kind === 'turn' && how !== 'derived');
      expect(rows).toHaveLength(3);
      expect(rows).toEqual(
        expect.arrayContaining([
          { how: 'changed', kind: 'turn', id: ids[0] },
          { how: 'missing', kind: 'turn', id: ids[1] },
          { how: 'extra', kind: 'turn', id: other },
        ]),
      );
      expect(report.digests.recall!.store).not.toBe(report.digests.recall!.log);
      const address = report.named.find(({ how }) => how === 'missing')!.address;
      expect(address).toMatchObject({ topic: 'turns', offset: expect.any(Number) });
    });

    it('names a day that was billed too much, and a document of accounts that is another', async () => {
      await fill();
      await bench.damage.bill('acme', '2026-03-10');
      await bench.damage.rename('globex');
      const report = await verified();
      expect(named(report)).toEqual(
        expect.arrayContaining([
          { how: 'changed', kind: 'day', id: '["acme","2026-03-10"]' },
          { how: 'changed', kind: 'billed', id: 'rcl_0' },
          { how: 'changed', kind: 'organization', id: 'globex' },
        ]),
      );
      expect((await verified({ projections: ['recall'] })).differences).toBe(0);
      const globex = await verified({ org: 'globex' });
      expect(named(globex)).toEqual([{ how: 'changed', kind: 'organization', id: 'globex' }]);
    });

    it('names what is counted of an event otherwise, and the days that it is counted in', async () => {
      await fill();
      await bench.damage.count('rcl_3');
      const report = await verified();
      const day = JSON.stringify(['acme', '', '2026-03-10']);
      expect(named(report)).toEqual(
        expect.arrayContaining([
          { how: 'changed', kind: 'counted', id: 'rcl_3' },
          { how: 'changed', kind: 'day', id: day },
        ]),
      );
      expect((await verified({ projections: ['usage'] })).differences).toBe(0);
    });

    it('names an entry of the audit log that was changed', async () => {
      await fill();
      const id = auditNoted(4).id;
      await bench.damage.note(id);
      const report = await verified();
      expect(named(report)).toEqual([{ how: 'changed', kind: 'entry', id }]);
      expect(report.named[0]).toMatchObject({
        org: 'acme',
        address: { topic: 'audit', offset: expect.any(Number) },
      });
    });

    it('names a turn whose columns for searching are of another document', async () => {
      await fill();
      const { id } = turnRecorded(10, { user: 'grace', session: 's2' });
      await bench.damage.derive(id);
      const report = await verified();
      expect(report.differences).toBeGreaterThan(0);
      expect(report.named.every(one => one.how === 'derived' && one.id === id)).toBe(true);
    });

    it('names a turn that has the terms of another metadata, and one that its terms do not find', async () => {
      await fill();
      const { id } = turnRecorded(21, { user: 'ada', session: 's1' });
      await bench.damage.lose?.(id);
      const lost = (await verified({ projections: ['recall'] })).named;
      expect(lost.map(({ how, kind }) => `${how} ${kind}`)).toEqual(
        bench.damage.lose ? ['derived metadata', 'derived metadata'] : [],
      );
      await bench.damage.refile(id);
      expect(named(await verified({ projections: ['recall'] }))).toContainEqual({
        how: 'changed',
        kind: 'turn',
        id,
      });
    });

    it('names a correction that is not found by what it follows', async () => {
      const of = observationId(turnRecorded(1).id, 'x');
      const by = statement(2, { text: 'By.', corrects: { observation_id: of, follows: [of] } });
      await world.append([by]);
      await world.project(bench.store);
      const id = statementObservationId(by.id);
      await bench.damage.unfollow(id);
      expect(named(await verified({ projections: ['recall'] }))).toEqual([
        { how: 'derived', kind: 'observation', id },
      ]);
    });

    it('minds nothing that was swept by an instant which its clock says no more', async () => {
      const expires_at = '2026-03-20T00:00:00.000Z';
      const expires = (n: number, topic: string) =>
        n % 3 > 0 && (topic === 'turns' || topic === 'observations');
      const events = someEvents();
      const turns = new Map(events.map((event, n) => [event.id, expires(n, event.topic)]));
      const ofTurn = ({ id, data }: (typeof events)[number]) =>
        turns.get((data as { turn_id?: string }).turn_id ?? id);
      await world.append(events.map(event => (ofTurn(event) ? { ...event, expires_at } : event)));
      await world.project(bench.store);
      const before = await verified();
      expect(before.named).toEqual([]);
      await bench.sweep(Date.parse(expires_at));
      const report = await verified();
      expect(report.named).toEqual([]);
      expect(report.digests.recall!.store).toBe(report.digests.recall!.log);
      expect(report.digests.recall!.store).not.toBe(before.digests.recall!.store);
      const [kept] = events.filter(event => event.topic === 'turns' && turns.get(event.id) === false);
      await bench.damage.remove(kept!.id);
      expect(named(await verified({ projections: ['recall'] }))).toContainEqual({
        how: 'missing',
        kind: 'turn',
        id: kept!.id,
      });
    });

    it('minds no entry of the audit log that has ended, before it is swept or after, and misses one that has not', async () => {
      // 400 days before the clock of the verification.
      const END = Date.parse('2025-02-03T12:00:00.000Z');
      const at = (ms: number) => ({ recorded_at: new Date(ms).toISOString() });
      const [ended, kept] = [auditNoted(0), auditNoted(1)];
      const DAYS = 2 * 86_400_000;
      await world.append([
        { ...ended, ...at(END - DAYS) },
        { ...kept, ...at(END + DAYS) },
      ]);
      await world.project(bench.store);
      const before = await verified({ projections: ['audit'] });
      expect([before.named, before.rows]).toEqual([[], 1]);
      await bench.sweep(END + AUDIT_KEPT_MS);
      const after = await verified({ projections: ['audit'] });
      expect([after.named, after.rows, after.digests]).toEqual([[], 1, before.digests]);
      await bench.sweep(END + 2 * DAYS + AUDIT_KEPT_MS);
      expect(named(await verified({ projections: ['audit'] }))).toEqual([
        { how: 'missing', kind: 'entry', id: kept.id },
      ]);
    });

    it('looks at what comes below the positions, and at nothing that comes later', async () => {
      await fill();
      await world.append([turnRecorded(500, { user: 'late' })]);
      expect((await verified()).differences).toBe(0);
    });

    it('expects nothing of what was erased below an offset, and all that came after it', async () => {
      const erased = {
        ...turnRecorded(0),
        id: 'ers_1',
        type: 'memory.erased',
        data: {
          erasure_id: `ers_${'0'.repeat(32)}`,
          owner: scopeDigest(['acme', 'ada']),
          session: scopeDigest(['acme', 'ada', 's1']),
          key_ids: [],
          counts: { turns: 1, observations: 0, entities: 0, sessions: 1 },
        },
      };
      // The key lives on in this world: it is the address in the log that tells what is gone.
      await world.append([turnRecorded(1), turnRecorded(2, { session: 's2' }), erased, turnRecorded(3)]);
      await world.project(bench.store);
      expect(await verified()).toMatchObject({ named: [], differences: 0 });
      // Two turns, with their writes.
      expect((await verified({ projections: ['recall'] })).rows).toBe(4);
    });

    it('expects of what was retracted that it was, and nothing else of it', async () => {
      await fill();
      const before = await verified({ projections: ['recall'] });
      const gone = turnRecorded(600, { observations: ['gone too'] });
      const kept = turnRecorded(601, { observations: ['gone', 'kept'] });
      const found = [gone, kept].map((turn, n) =>
        extracted(600 + n, turn, {
          observations: [{ text: 'seen' }, { text: 'unseen' }],
          entities: [{ label: 'Zanthe', kind: 'person' }],
        }),
      );
      const [client, rules] = ['gone', 'unseen'].map(text => observationId(kept.id, text));
      await world.append([gone, kept, ...found]);
      await world.append([retracted(0, gone), retracted(0, kept, client), retracted(0, kept, rules)]);
      // Read once more, as after a lost acknowledgement.
      await world.append([retracted(0, gone)]);
      await world.project(bench.store);
      const after = await verified({ projections: ['recall'] });
      expect(after).toMatchObject({ named: [], differences: 0 });
      // Two rows of the one: that it was, and how it was enriched. Seven of the other: the turn, two
      // observations, a name, how it was enriched, and two more. And their two writes.
      expect(after.rows - before.rows).toBe(2 + 7 + 2);
      expect(await verified({ most: 100, whole: true, projections: ['recall'] })).toMatchObject({
        differences: 0,
        rows: after.rows,
      });
    });

    it('expects no correction of what was retracted, before it or after, and those of its corrections neither', async () => {
      const gone = turnRecorded(610, { observations: ['gone'] });
      const id = observationId(gone.id, 'gone');
      const before = statement(1, {
        text: 'gone before',
        corrects: { observation_id: id, follows: [id, gone.id] },
      });
      const of = statementObservationId(before.id);
      const after = statement(2, {
        text: 'gone after',
        corrects: { observation_id: of, follows: [of, id, gone.id] },
      });
      await world.append([gone, before, retracted(0, gone), after]);
      await world.project(bench.store);
      const report = await verified({ projections: ['recall'] });
      expect(report.named).toEqual([]);
      // The retraction, the identities of two corrections, and three writes.
      expect([report.differences, report.rows]).toEqual([0, 6]);
    });

    it('compares what was said without a turn, and what that corrects', async () => {
      await fill();
      const before = await verified({ projections: ['recall'] });
      const said = statement(700, { text: 'Ada sings.' });
      const corrects = { observation_id: observationId(said.id, 'x'), subject: 'Ada', attribute: 'home' };
      await world.append([said, statement(701, { text: 'Ada hums.', corrects })]);
      await world.project(bench.store);
      const after = await verified({ projections: ['recall'] });
      // Three rows of each: the write, its identity and the observation.
      expect([after.differences, after.rows - before.rows]).toEqual([0, 6]);
    });

    it('expects corrections of names, and none below the erasure of their user', async () => {
      const split = entityCorrected(0, { entity: 'Melanie', label: 'Mel', split: ['Nell'] });
      await world.append([turnRecorded(1), split, sessionTitled(2, 'Soup'), sessionTitled(3, null)]);
      // Read once more, as after a lost acknowledgement.
      await world.append([split]);
      await world.project(bench.store);
      const all = await verified({ projections: ['recall'] });
      expect(all).toMatchObject({ named: [], differences: 0, rows: 5 });
      expect(await verified({ most: 2, whole: true, projections: ['recall'] })).toMatchObject({
        differences: 0,
        rows: 5,
      });
      await world.append([memoryErased(0, { session: 's1' })]);
      await world.project(bench.store);
      expect(await verified({ projections: ['recall'] })).toMatchObject({ differences: 0, rows: 1 });
      await world.append([memoryErased(1)]);
      await world.append([sessionTitled(4, 'After')]);
      await world.project(bench.store);
      expect(await verified({ projections: ['recall'] })).toMatchObject({ differences: 0, rows: 1 });
    });

    it('takes a sample that both sides agree on, and says how large it is; in parts it looks at all', async () => {
      await fill();
      const all = await verified();
      const some = await verified({ most: 100 });
      expect(some.differences).toBe(0);
      expect(some.sampled).toBeLessThan(0.5);
      expect(some.rows).toBeLessThan(all.rows / 2);
      const whole = await verified({ most: 100, whole: true });
      expect(whole).toMatchObject({ differences: 0, rows: all.rows, sampled: 1, digests: all.digests });
      // In one of the parts it is.
      const { id } = turnRecorded(10, { user: 'grace', session: 's2' });
      await bench.damage.change(id);
      const found = await verified({ most: 100, whole: true, projections: ['recall'] });
      expect(named(found)).toContainEqual({ how: 'changed', kind: 'turn', id });
    });

    it('finds one changed, one missing and one extra among many', { timeout: 600_000 }, async () => {
      const COUNT = rounds(10_000, 100_000);
      for (let at = 0; at < COUNT; at += 5_000) {
        const turns = Array.from({ length: 5_000 }, (_, i) =>
          turnRecorded(at + i, { text: `ref${at + i}`, session: `s${(at + i) % 1_000}` }),
        );
        await world.append(turns);
        await world.project(bench.store, 'recall');
      }
      const id = (n: number): string => turnRecorded(n, { text: `ref${n}`, session: `s${n % 1_000}` }).id;
      const other = `trn_${'cd'.repeat(16)}`;
      await bench.damage.change(id(4_123));
      await bench.damage.remove(id(7_777));
      await bench.damage.copy(id(1_234), other);
      const report = await verified({ projections: ['recall'] });
      // Turns, with their writes.
      expect(report.rows).toBe(2 * COUNT);
      const turns = named(report).filter(({ kind, how }) => kind === 'turn' && how !== 'derived');
      expect(turns).toHaveLength(3);
      expect(turns).toEqual(
        expect.arrayContaining([
          { how: 'changed', kind: 'turn', id: id(4_123) },
          { how: 'missing', kind: 'turn', id: id(7_777) },
          { how: 'extra', kind: 'turn', id: other },
        ]),
      );
    });
  });
};
