/** Tests what leaves the index of the keys in Elasticsearch, and what stays. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  connectElasticsearch,
  type Elasticsearch,
} from '../../infra/cluster/elasticsearch/elasticsearch-client.ts';
import {
  keysIndex,
  migrateKeysIndex,
  openKeyIndex,
} from '../../infra/cluster/keys/index/elasticsearch-index.ts';
import type { KeyIndex, StoredKey } from '../../infra/cluster/keys/index/key-index.ts';
import { sessionTagOf, tagOf } from '../../infra/cluster/keys/record.ts';
import { deleteInElasticsearch } from '../support/engines/drop-namespace.ts';
import { clusterConfig, describeOnEngines } from '../support/engines/engines.ts';

const BEFORE = 1_000;

describeOnEngines('the index of the keys, cleaned', () => {
  const config = clusterConfig();
  let elasticsearch: Elasticsearch;
  let index: KeyIndex;
  beforeAll(async () => {
    await migrateKeysIndex(config);
    elasticsearch = connectElasticsearch(config);
    index = openKeyIndex(elasticsearch, config);
  });
  afterAll(async () => {
    await elasticsearch?.close();
    await deleteInElasticsearch(config, keysIndex(config));
    await deleteInElasticsearch(config, `_index_template/${keysIndex(config)}`);
  });

  let offset = 0;
  const owner = JSON.stringify(['acme', 'ada']);
  const session = JSON.stringify(['s1']);
  const living = (keyId: string, partition: number, pass: string): StoredKey => ({
    keyId,
    key: { keyId, owner, session, under: 'user', wrapped: Buffer.from(keyId) },
    owner: tagOf(owner),
    session: sessionTagOf(owner, session),
    under: 'user',
    partition,
    pass,
    offset,
    first: offset++,
  });
  const stub = (keyId: string, since: number, isUnswept: boolean): StoredKey => ({
    ...living(keyId, 0, 'now'),
    key: undefined,
    since,
    isUnswept,
  });
  const left = async (ids: readonly string[]): Promise<string[]> =>
    [...(await index.byIds(ids)).keys()].toSorted();

  it('loses swept stubs of before, and of read partitions the documents of former passes', async () => {
    const documents = [
      living('living', 0, 'now'),
      stub('swept long ago', BEFORE - 1, false),
      stub('swept of late', BEFORE, false),
      stub('unswept', BEFORE - 1, true),
      living('of a former pass', 0, 'then'),
      living('of a former pass that is still read again', 1, 'then'),
    ];
    await index.write(documents);
    for (const partition of [0, 1]) {
      const [position] = await index.positions([partition]);
      await index.move(position!, { offset: 10, pass: 'now', whole: 1 });
    }
    await index.clean(BEFORE, await index.positions([0]));
    expect(await left(documents.map(({ keyId }) => keyId))).toEqual([
      'living',
      'of a former pass that is still read again',
      'swept of late',
      'unswept',
    ]);
    // Positions are no keys: they stay.
    expect(await index.positions([0, 1])).toMatchObject([{ offset: 10 }, { offset: 10 }]);
  });
});
