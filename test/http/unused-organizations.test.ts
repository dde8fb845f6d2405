import { afterEach, expect, it } from 'vitest';
import { makePaidLog } from '../../core/payers/paid-log.ts';
import { makePruneUnused } from '../../services/use-cases/accounts/organizations/unused.ts';
import { memoryLog } from '../support/engines/memory-log.ts';
import { startApp, stubUseCases, type TestApp } from '../support/http/app.ts';
import { context } from '../support/worlds/accounts.ts';

let app: TestApp;
afterEach(() => app.close());

const turns = [{ role: 'user', text: 'I moved to Lyon.', timestamp: '2026-01-05T10:00:00Z' }];
const scope = { org_id: 'acme', user_id: 'ada', session_id: 's' };

/** An app whose writes append to a log, and a round of removals a year after the sign-up. */
const start = async () => {
  const log = memoryLog();
  const paid = makePaidLog(log, async () => {});
  const record = { topic: 'turns' as const, key: 'acme', value: Buffer.from('{}') };
  app = await startApp({
    useCases: {
      ingest: async (...of) => {
        await Promise.all([1, 2].map(() => paid.append([record], { kind: 'billed', attempt: 'a' })));
        return stubUseCases.ingest(...of);
      },
    },
  });
  let ran = 0;
  const { store, now } = app;
  const prune = makePruneUnused({ store, clock: now, timer: () => ran });
  const signal = new AbortController().signal;
  const round = async (): Promise<string[]> => {
    await prune(now() + 400 * 86_400_000, 30, context, signal);
    ran += 3_600_000;
    return prune(now() + 400 * 86_400_000, 30, context, signal);
  };
  const headers = { 'x-api-key': app.apiKey };
  const call = (method: string, path: string, body?: unknown) =>
    app.call(method, path, { token: null, headers, ...(body !== undefined && { body }) });
  return { log, round, call, types: () => store.events.map(({ type }) => type) };
};

it('says before the first append that an organization is in use, once, and for no call that appends nothing', async () => {
  const { log, round, call, types } = await start();
  expect((await call('GET', '/me')).status).toBe(200);
  expect((await call('GET', '/memory/turns')).status).toBe(200);
  expect(types()).not.toContain('org.wrote');
  for (let i = 0; i < 3; i++)
    expect((await call('POST', '/ingestion/memory', { scope, turns })).status).toBe(202);
  expect(types().filter(type => type === 'org.wrote')).toHaveLength(1);
  expect(log.records('turns')).toHaveLength(6);
  expect(await round()).toEqual([]);
  expect((await call('GET', '/me')).status).toBe(200);
});

it('refuses the calls of an organization that is gone, and appends nothing', async () => {
  const { log, round, call } = await start();
  expect((await call('GET', '/me')).status).toBe(200);
  expect(await round()).toEqual(['acme']);
  const refused = await call('POST', '/ingestion/memory', { scope, turns });
  expect(refused.status).toBe(403);
  expect(log.records('turns')).toEqual([]);
});

it('refuses a write during which the organization goes, and appends nothing of it', async () => {
  const { log, round, call } = await start();
  // It has passed its authentication, and the removal is in the log before it says that it writes.
  app.store.beforeRecord = async event => {
    if (event.type !== 'org.wrote') return;
    app.store.beforeRecord = () => {};
    expect(await round()).toEqual(['acme']);
  };
  expect((await call('POST', '/ingestion/memory', { scope, turns })).status).toBe(403);
  expect(log.records('turns')).toEqual([]);
});
