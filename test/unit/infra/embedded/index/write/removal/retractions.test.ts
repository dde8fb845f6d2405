import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Event } from '../../../../../../../core/log/events.ts';
import { observationId, statementObservationId } from '../../../../../../../domain/identity/identity.ts';
import { decodeDocument } from '../../../../../../../domain/language/vectors/codec.ts';
import { createProjectionsDatabase } from '../../../../../../../infra/embedded/index/file/create-database.ts';
import { openProjectionStore } from '../../../../../../../infra/embedded/index/file/projection-store.ts';
import { fold } from '../../../../../../contracts/openers/embedded.ts';
import { temporaryFolder } from '../../../../../../support/processes/server.ts';
import {
  extracted,
  memoryErased,
  retracted,
  statement,
  turnRecorded,
} from '../../../../../../support/worlds/builders.ts';

const opened = () => {
  const database = createProjectionsDatabase(join(temporaryFolder(), 'projections.db'));
  const store = openProjectionStore(database, decodeDocument);
  return {
    write: (...events: Event[]) => store.apply({ ...fold(events), positions: {} }),
    rows: (sql: string) =>
      database
        .prepare(sql)
        .all()
        .map(row => Object.values(row)),
    close: () => store.close(),
  };
};

const SPEAKERS = 'SELECT count(*), role FROM speakers GROUP BY role ORDER BY role';

it('takes a role off the speakers with its last turn, of the user and of the organization', async () => {
  const { write, rows, close } = opened();
  const [ada, again, ben] = [
    turnRecorded(0, { role: 'Ada' }),
    turnRecorded(1, { role: 'Ada', session: 's2' }),
    turnRecorded(2, { role: 'Ada', user: 'ben' }),
  ] as const;
  await write(ada, again, ben, turnRecorded(3, { role: 'Mia' }));
  expect(rows(SPEAKERS)).toEqual([
    [3, 'Ada'],
    [2, 'Mia'],
  ]);
  await write(retracted(4, ada));
  expect(rows(SPEAKERS)).toEqual([
    [3, 'Ada'],
    [2, 'Mia'],
  ]);
  // Ben still speaks as Ada, and so does the organization.
  await write(retracted(5, again));
  expect(rows(SPEAKERS)).toEqual([
    [2, 'Ada'],
    [2, 'Mia'],
  ]);
  await write(retracted(6, ben));
  expect(rows(SPEAKERS)).toEqual([[2, 'Mia']]);
  await close();
});

it('names an entity anew that went with the turn that named it', async () => {
  const { write, rows, close } = opened();
  const [gone, next] = [turnRecorded(0), turnRecorded(1)];
  const porto = { entities: [{ label: 'Porto', kind: 'place' }] };
  await write(gone, extracted(0, gone, porto));
  await write(retracted(2, gone));
  expect(rows('SELECT label FROM entities')).toEqual([]);
  await write(next, extracted(1, next, porto));
  expect(rows('SELECT e.label FROM entities e JOIN mentions m ON m.entity = e.no')).toEqual([['Porto']]);
  await close();
});

it('leaves nothing of a retraction when its session is erased', async () => {
  const { write, rows, close } = opened();
  const gone = turnRecorded(0);
  await write(gone, retracted(1, gone));
  expect(rows('SELECT count(*) FROM retracted')).toEqual([[1]]);
  await write(memoryErased(2, { session: 's1' }));
  expect(rows('SELECT count(*) FROM retracted')).toEqual([[0]]);
  await close();
});

it('leaves nothing of what a correction follows when it is hidden, or its session erased', async () => {
  const { write, rows, close } = opened();
  const said = turnRecorded(0, { observations: ['Said.'] });
  const id = observationId(said.id, 'Said.');
  const corrects = { observation_id: id, follows: [id, said.id] };
  const corrections = [statement(1, { text: 'One.', corrects }), statement(2, { text: 'Two.', corrects })];
  await write(said, ...corrections);
  expect(rows('SELECT count(*) FROM followed')).toEqual([[4]]);
  await write(retracted(3, corrections[0]!, statementObservationId(corrections[0]!.id)));
  expect(rows('SELECT count(*) FROM followed')).toEqual([[2]]);
  await write(memoryErased(4, { session: 's1' }));
  expect(rows('SELECT count(*) FROM followed')).toEqual([[0]]);
  await close();
});
