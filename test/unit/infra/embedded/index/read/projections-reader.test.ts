import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createProjectionsDatabase } from '../../../../../../infra/embedded/index/file/create-database.ts';
import { openSwitchedReader } from '../../../../../../infra/embedded/index/read/projections-reader.ts';
import { temporaryFolder } from '../../../../../support/processes/server.ts';

it('asks the same statements of another file from one step to the next', () => {
  const folder = temporaryFolder();
  const paths = [1, 2].map(number => {
    const path = join(folder, `projections-${number}.db`);
    const database = createProjectionsDatabase(path);
    database.exec(`INSERT INTO positions VALUES ('turns/0', ${number})`);
    database.close();
    return path;
  });
  const reader = openSwitchedReader(paths[0]!, Date.now);
  const position = reader.prepare('SELECT offset FROM positions WHERE partition = ?');
  const going = reader.prepareSwitch(paths[1]!);
  expect(position.get('turns/0')).toEqual({ offset: 1 });
  const later = reader.prepare('SELECT count(*) AS n FROM positions');
  going.commit();
  expect(position.get('turns/0')).toEqual({ offset: 2 });
  expect(later.all()).toEqual([{ n: 1 }]);
  reader.prepareSwitch(paths[0]!).abandon();
  expect(position.get('turns/0')).toEqual({ offset: 2 });
  expect(() => reader.prepareSwitch(join(folder, 'none.db'))).toThrow();
  expect(position.get('turns/0')).toEqual({ offset: 2 });
  reader.close();
});
