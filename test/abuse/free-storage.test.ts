import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Caller, callerWith, type Usage } from '../http/contract/kit.ts';
import { type Server, startServer } from '../support/server.ts';
import { CAP_IN, FREE_STORAGE } from './free-storage.ts';

describe('storage that nobody pays for', () => {
  let server: Server;
  let caller: Caller;
  const start = async (dataDir?: string): Promise<void> => {
    server = await startServer({ dataDir, environment: { TURNSTONE_QUOTA_TOKENS_IN: String(CAP_IN) } });
    caller = await callerWith(server.url, server.apiKey);
  };
  beforeAll(() => start());
  afterAll(() => server?.stop());

  test.for(Object.entries(FREE_STORAGE))('%s', ([, check]) => check(caller));

  test('the same is billed by the log, after kill -9', async () => {
    const before = await caller.get<Usage>('/usage/today');
    await server.kill();
    await start(server.dataDir);
    expect(await caller.get<Usage>('/usage/today')).toEqual(before);
  });
});
