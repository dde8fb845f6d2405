import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { expect, it } from 'vitest';
import { decodeDocument } from '../../../../../../domain/language/vectors/codec.ts';
import { createProjectionsDatabase } from '../../../../../../infra/embedded/index/file/create-database.ts';
import { openProjectionStore } from '../../../../../../infra/embedded/index/file/projection-store.ts';
import { openAuditEntries } from '../../../../../../infra/embedded/index/read/audit-entries.ts';
import { noWrites } from '../../../../../../projections/all.ts';
import { projectAudit } from '../../../../../../projections/audit/audit-projection.ts';
import { temporaryFolder } from '../../../../../support/processes/server.ts';
import { auditNoted, EVERY_ENTRY } from '../../../../../support/worlds/builders.ts';

const EVER = { ...EVERY_ENTRY, limit: 51 };
const MANY = 6_000;

/** An organization with many reads by one key, among them now and then an act of another one, Zoe's. */
const opened = async () => {
  const path = join(temporaryFolder(), 'projections.db');
  const store = openProjectionStore(createProjectionsDatabase(path), decodeDocument);
  const events = Array.from({ length: MANY }, (_, n) => {
    const event = { ...auditNoted(3 * n), org_id: 'acme' };
    const data = { ...event.data, action: 'memory.feed', actor_key: 'busy', actor_user: 'ada' };
    const rare = { ...data, action: 'keys.create', actor_key: 'rare', actor_user: 'zoe' };
    return { ...event, data: n % 1_000 === 0 ? rare : data };
  }) as ReturnType<typeof auditNoted>[];
  await store.apply({ ...noWrites(), audit: events.flatMap(projectAudit), logged: [], positions: {} });
  const reader = new DatabaseSync(path);
  const steps: number[] = [];
  const sqls: string[] = [];
  const counted = {
    exec: (sql: string) => reader.exec(sql),
    prepare: (sql: string) => {
      const statement = reader.prepare(sql);
      sqls.push(sql);
      return {
        get: (...values: SQLInputValue[]) => statement.get(...values),
        all: (...values: SQLInputValue[]) => {
          const rows = statement.all(...values);
          steps.push(rows.length);
          return rows;
        },
      };
    },
  };
  let yields = 0;
  const { page } = openAuditEntries(counted, () => async () => void yields++);
  const read = async (asked: Partial<typeof EVER> | object) => {
    steps.length = 0;
    yields = 0;
    const found = await page('acme', { ...EVER, ...asked });
    const rows = steps.reduce((sum, one) => sum + one, 0);
    return { found, rows, steps: [...steps], yields };
  };
  return { read, reader, sqls };
};

it('reads for a filter that few entries pass no others than these', async () => {
  const { read, reader, sqls } = await opened();
  for (const asked of [{ action: 'keys.create' }, { actor: 'zoe' }, { actor: 'rare' }]) {
    const { found, rows } = await read(asked);
    expect(found.map(({ actor_key }) => actor_key)).toEqual(new Array(6).fill('rare'));
    expect(rows).toBe(6);
  }
  expect((await read({ action: 'names.user' })).rows).toBe(0);
  const plans = sqls.map(sql =>
    reader
      .prepare(`EXPLAIN QUERY PLAN ${sql}`)
      .all('acme', '', null, '~', '', 1, 'x')
      .map(({ detail }) => String(detail))
      .join('; '),
  );
  for (const by of ['action', 'actor_key', 'actor_user', 'actor_kind'])
    expect(plans).toContainEqual(expect.stringMatching(new RegExp(`[(]org=[?] AND ${by}=[?] AND at[<>]`)));
  for (const plan of plans) expect(plan).not.toContain('TEMP B-TREE');
});

it('reads in steps, with yields between them, where no index has the filter', async () => {
  const { read } = await opened();
  const { found, steps, yields } = await read({ actor: 'ada', action: 'keys.create' });
  expect(found).toEqual([]);
  expect(Math.max(...steps)).toBeLessThanOrEqual(500);
  expect(yields).toBeGreaterThanOrEqual(MANY / 500 - 1);
});

it('pages with and without filters through the same entries, each once, newest first', async () => {
  const { read } = await opened();
  const whole = (await read({ limit: MANY })).found;
  expect(whole).toHaveLength(MANY);
  expect(whole.map(({ at }) => at)).toEqual(
    whole
      .map(({ at }) => at)
      .toSorted()
      .toReversed(),
  );
  for (const filter of [{ actor: 'key' }, { actor: 'busy', action: 'memory.feed' }]) {
    const paged: typeof whole = [];
    for (let after: { at: string; id: string } | undefined; ; ) {
      const { found } = await read({ ...filter, after, limit: 700 });
      paged.push(...found);
      if (found.length < 700) break;
      after = found.at(-1)!;
    }
    expect(paged).toEqual('action' in filter ? whole.filter(one => one.action === 'memory.feed') : whole);
  }
});
