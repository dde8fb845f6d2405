import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { connect, expectStatus } from '../support/http/client.ts';
import { type EmbeddingServer, embeddingReplies } from '../support/http/embedding-server.ts';
import { type Server, temporaryFolder } from '../support/processes/server.ts';
import { until } from '../support/wait.ts';
import {
  embedded,
  environmentOf,
  expectAskedBefore,
  expectFound,
  explained,
  QUESTION,
  write,
} from './embeddings.ts';
import { makeServiceWithModel, operate, type ServiceWithModel } from './embeddings-embedded.ts';

let service: ServiceWithModel;
let endpoint: EmbeddingServer;
beforeEach(async () => {
  service = await makeServiceWithModel();
  endpoint = service.endpoint;
});
afterEach(() => service.close());

const restart = async (server: Server, environment?: Record<string, string>): Promise<Server> => {
  await server.stop();
  const next = await service.start({ dataDir: server.dataDir, ...(environment && { environment }) });
  return { ...next, apiKey: server.apiKey };
};
describe('an embedding model', () => {
  it('is not asked again by an organization that moves', async () => {
    const source = await service.start();
    await write(await connect(source));
    await embedded(source.url);
    const file = join(temporaryFolder(), 'local.jsonl');
    await operate(source.dataDir, 'export', '--org', 'local', '--output', file);
    const lines = readFileSync(file, 'utf8').split('\n');
    expect(lines.filter(line => line.includes('"turn.embedded"'))).toHaveLength(6);
    const asked = endpoint.texts().length;

    const target = await service.start({ environment: { TURNSTONE_SIGNUP: 'open' } });
    const admin = await connect(target);
    const { api_key: apiKey } = expectStatus(
      await admin.request<{ api_key: string }>('POST', '/signup', { org_id: 'globex' }),
      201,
    );
    for (const known of [/ 0 were there/, /^0 events written/m])
      expect(await operate(target.dataDir, 'import', file, '--org', 'globex')).toMatch(known);
    await embedded(target.url);
    expect(endpoint.texts()).toHaveLength(asked);
    await expectFound(await connect({ url: target.url, apiKey }));
    expect(await operate(target.dataDir, 'verify')).toContain('no differences');
  });

  it('is changed by a replay, filled in beside the one that serves, and rolled back', async () => {
    let server = await service.start({ dataDir: temporaryFolder() });
    await write(await connect(server));
    await embedded(server.url);

    // Both are made; the first of them serves no generation yet.
    server = await restart(server, environmentOf(endpoint, 'model-b,model-a'));
    let client = await connect(server);
    await write(client, ['The harbour sleeps.'], 50);
    await embedded(server.url);
    await expectFound(client);
    expect(endpoint.texts('model-b').filter(text => text.startsWith('query: '))).toEqual([]);
    // Each but the first by itself, and with the one before it.
    expect(endpoint.texts('model-b')).toHaveLength(13);
    expect(await operate(server.dataDir, 'generations')).toMatch(/serving .*model-a/);
    await expectAskedBefore(client, 'model-b');
    expect(endpoint.texts('model-b')).toContain(`query: ${QUESTION}`);

    await operate(server.dataDir, 'replay', 'recall');
    await expectFound(client);
    expect(endpoint.texts('model-b')).toContain(`query: ${QUESTION}`);
    const listed = await operate(server.dataDir, 'generations');
    expect(listed).toMatch(/serving .*model-b/);
    expect(listed).toMatch(/standby .*model-a/);

    await operate(server.dataDir, 'rollback', 'recall');
    expect(await operate(server.dataDir, 'generations')).toMatch(/serving .*model-a/);
    await expectFound(client);
    expect(endpoint.texts().filter(text => text === 'passage: The harbour sleeps.')).toHaveLength(2);

    // The one that serves is configured no more: it is not asked, and the answers say so.
    server = await restart(server, environmentOf(endpoint, 'model-b'));
    client = await connect(server);
    expect(await explained(client)).toMatchObject({ degraded: ['embeddings'], byModel: undefined });
    await operate(server.dataDir, 'rollback', 'recall');
    await expectFound(client);
  });

  it('holds a replay up until it has read all turns', async () => {
    let server = await service.start({ dataDir: temporaryFolder() });
    await write(await connect(server));
    await embedded(server.url);
    endpoint.reply(({ model, input }) =>
      model === 'model-b' && input.some(text => text.includes('kettle'))
        ? embeddingReplies.status(503)
        : embeddingReplies.embeds({ model, input }),
    );
    server = await restart(server, environmentOf(endpoint, 'model-b,model-a'));
    const replay = operate(server.dataDir, 'replay', 'recall', '--json');
    let ended = false;
    void replay.then(() => (ended = true));
    await until('the new model is asked', () => endpoint.texts('model-b').length > 0);
    await new Promise(resolve => setTimeout(resolve, 2_000));
    expect(ended).toBe(false);
    endpoint.reply(embeddingReplies.embeds);
    const messages = (await replay)
      .trim()
      .split('\n')
      .map(line => JSON.parse(line));
    expect(messages[0]).toMatchObject({ kind: 'progress', phase: 'embedding', events: 0 });
    expect(messages.at(-1)).toMatchObject({ kind: 'promoted' });
    await expectFound(await connect(server));
  });
});
