import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { readConfig } from '../../../core/config.ts';
import { makeLog } from '../../../core/watch/logger.ts';
import { openEngines } from '../../../services/embedded/open.ts';
import { temporaryFolder } from '../../support/processes/server.ts';
import { benchOf, type OpenGenerations } from './generations.ts';

/** The engines of a data folder, without the server around them. */
export const openEmbeddedGenerations: OpenGenerations = async () => {
  const dataDir = temporaryFolder();
  const read = readConfig({ TURNSTONE_DATA_DIR: dataDir });
  if (!read.ok) throw new Error(read.faults.join('\n'));
  const engines = await openEngines(read.config, makeLog('silent'), 0);
  await engines.watch.caughtUp;
  return {
    ...benchOf(engines, 'all'),
    damage: async generation => {
      const database = new DatabaseSync(join(dataDir, `projections-${generation}.db`));
      // Two threads build it: the turns may not have begun.
      const changes = [
        'UPDATE fragments SET role = ? WHERE no = (SELECT min(no) FROM fragments)',
        'UPDATE findings SET outcome = NULLIF(?, ?) WHERE turn = (SELECT min(turn) FROM findings)',
      ].map(sql => Number(database.prepare(sql).run(...Array(sql.split('?').length - 1).fill('x')).changes));
      database.close();
      if (!changes.includes(1)) throw new Error('nothing was damaged');
    },
    close: engines.close,
  };
};
