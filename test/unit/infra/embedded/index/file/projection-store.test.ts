import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Event } from '../../../../../../core/log/events.ts';
import { decodeDocument } from '../../../../../../domain/language/vectors/codec.ts';
import {
  createProjectionsDatabase,
  openDatabaseToBuild,
} from '../../../../../../infra/embedded/index/file/create-database.ts';
import { openProjectionStore } from '../../../../../../infra/embedded/index/file/projection-store.ts';
import { derivedDifferences } from '../../../../../../infra/embedded/index/read/verify/verifiable-structures.ts';
import { WHOLE } from '../../../../../../projections/verify/sample.ts';
import { fold } from '../../../../../contracts/openers/embedded.ts';
import { temporaryFolder } from '../../../../../support/processes/server.ts';
import { extracted, retracted, turnRecorded } from '../../../../../support/worlds/builders.ts';

it('goes on with the lists and the removals of another connection to its file', async () => {
  const path = join(temporaryFolder(), 'projections-1.db');
  createProjectionsDatabase(path).close();
  const open = () =>
    openProjectionStore(openDatabaseToBuild(path, { isFirst: false }), decodeDocument, { isShared: true });
  const [one, two] = [open(), open()];
  const apply = (store: typeof one, removed: boolean, ...events: readonly Event[]) => {
    store.reread({ removed });
    return store.apply({ ...fold(events), positions: {} });
  };
  const turns = Array.from({ length: 240 }, (_, n) => turnRecorded(n));
  const found = (n: number) => extracted(500 + n, turns[n]!, { observations: [{ text: `fact ${n}` }] });
  for (let from = 0; from < 240; from += 40)
    await apply(from % 80 ? two : one, false, ...turns.slice(from, from + 40));
  await apply(two, false, found(0));
  await apply(one, false, retracted(600, turns[1]!));
  await apply(two, true, found(1));
  await two.close();
  await one.close();
  const database = createProjectionsDatabase(path);
  expect([...derivedDifferences(database, WHOLE, decodeDocument)]).toEqual([]);
  const observed = database.prepare('SELECT text FROM fragments WHERE kind = 1').all();
  expect(observed.map(({ text }) => Buffer.from(text as Uint8Array).toString())).toEqual(['fact 0']);
  database.close();
});
