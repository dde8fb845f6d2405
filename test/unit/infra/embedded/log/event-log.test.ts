import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { openEventLog } from '../../../../../infra/embedded/log/event-log.ts';
import type { WriterConnection } from '../../../../../infra/embedded/log/writer-connection.ts';
import { openWriterFiles } from '../../../../../infra/embedded/log/writer-files.ts';
import { temporaryFolder } from '../../../../support/processes/server.ts';

const noWriter = { onAppend: () => () => {}, close: async () => {} } as unknown as WriterConnection;

/** A log of five records, of which some have been lost. */
const openDamaged = (lost: string) => {
  const folder = temporaryFolder();
  const paths = { logPath: join(folder, 'log.db'), keysPath: join(folder, 'keys.db') };
  const files = openWriterFiles(paths);
  const records = Array.from({ length: 5 }, () => ({ topic: 'turns', key: 'k', partition: 2 }) as const);
  files.write([{ number: 1, records, values: Buffer.from('abcde'), lengths: [1, 1, 1, 1, 1] }], () => {});
  files.close();
  const damaged = new DatabaseSync(paths.logPath);
  damaged.exec(`DELETE FROM "turns/2" WHERE ${lost}`);
  damaged.close();
  return openEventLog(paths.logPath, noWriter);
};

it('reads no further than a record that is missing, and names it', async () => {
  const log = openDamaged('offset = 2');
  await expect(log.read('turns', 2, 0, 2)).resolves.toHaveLength(2);
  for (const from of [0, 2])
    await expect(log.read('turns', 2, from, 10)).rejects.toMatchObject({
      code: 'unavailable',
      message: 'The log is damaged: it lacks the record turns/2/2.',
    });
  await expect(log.read('turns', 2, 3, 10)).resolves.toHaveLength(2);
  await expect(log.read('turns', 2, 5, 10)).resolves.toEqual([]);
  await expect(log.read('turns', 0, 0, 10)).resolves.toEqual([]);
  await log.close();
});
