/** A client feeds the largest writes that the contract takes, as fast as it can. */
import { afterEach, describe, expect, it } from 'vitest';
import { connect, inParallel } from '../support/http/client.ts';
import { isLong } from '../support/long.ts';
import { type Server, startServer } from '../support/processes/server.ts';
import { FORMS, type Form, isReadyAgain, withstandsLargestWrites } from './largest-writes.ts';

// Bytes are limited here, not the tokens of a day.
const environment = { TURNSTONE_QUOTA_TOKENS_IN: '0', TURNSTONE_QUOTA_TOKENS_OUT: '0' };

let servers: Server[] = [];
afterEach(async () => {
  for (const server of servers) await server.kill();
  servers = [];
});

const start = async (dataDir?: string): Promise<Server> => {
  const server = await startServer({ environment, ...(dataDir && { dataDir }) });
  servers.push(server);
  return server;
};

/** Each takes another way through the service; the others are variations of them. */
const USUAL: readonly Form[] = ['observations', 'many names'];
const forms = isLong ? (Object.keys(FORMS) as Form[]) : USUAL;

describe.each(forms)('the largest writes: %s', form => {
  it('leave the service ready and small, and so does a restart', { timeout: 900_000 }, async () => {
    const server = await start();
    await withstandsLargestWrites(server, server.apiKey, form);
    await server.stop();

    const again = await start(server.dataDir);
    await isReadyAgain(again);
    // Their stored form is large too: recalls of the whole organization read it.
    const client = await connect(again);
    await inParallel(12, 6, async n => {
      const { status } = await client.request('POST', '/recall', {
        scope: { org_id: 'any' },
        q: `w${n} what was said of Word${n}?`,
        mode: n % 2 === 0 ? 'deep' : 'active',
      });
      expect([200, 503]).toContain(status);
    });
    await isReadyAgain(again);
    expect(await again.stop()).toBe(0);
  });
});
