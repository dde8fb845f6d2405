import { join } from 'node:path';
import { expect, it } from 'vitest';
import { decodeDocument } from '../../../../../../domain/language/vectors/codec.ts';
import { createProjectionsDatabase } from '../../../../../../infra/embedded/index/file/create-database.ts';
import { openProjectionStore } from '../../../../../../infra/embedded/index/file/projection-store.ts';
import { openFeedIndex } from '../../../../../../infra/embedded/index/read/feed.ts';
import { openAnswersReader } from '../../../../../../infra/embedded/index/read/search/answers-reader.ts';
import { fold } from '../../../../../contracts/openers/embedded.ts';
import { temporaryFolder } from '../../../../../support/processes/server.ts';
import { turnRecorded } from '../../../../../support/worlds/builders.ts';

it('reads few offsets of a user between two yields, since each may have many events of others', async () => {
  const path = join(temporaryFolder(), 'projections.db');
  const store = openProjectionStore(createProjectionsDatabase(path), decodeDocument);
  const others = [1, 2].map(n => turnRecorded(n, { user: 'grace' }));
  await store.apply({ ...fold([turnRecorded(0), ...others]), positions: { 'turns/0': 20_000 } });
  const reader = openAnswersReader(path, Date.now);
  let yields = 0;
  const feed = openFeedIndex(reader, () => async () => void yields++);
  const range = { topic: 'turns' as const, partition: 0, from: 0, to: 20_000 };
  const { entries } = await feed.read({ org: 'acme', user: 'ada' }, [range], 10);
  expect(entries.map(({ fragment }) => fragment.user)).toEqual(['ada']);
  expect(yields).toBe(10);
  reader.close();
  await store.close();
});
