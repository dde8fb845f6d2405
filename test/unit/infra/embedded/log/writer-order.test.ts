import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { startWriter, type Writer } from '../../../../../infra/embedded/log/writer.ts';
import { connectWriter } from '../../../../../infra/embedded/log/writer-connection.ts';

const folder = mkdtempSync(join(tmpdir(), 'writer-order-'));
let writer: Writer;
afterEach(async () => {
  await writer?.close();
  rmSync(folder, { recursive: true });
});

it('answers an append before the keys that another call of its round makes or destroys', async () => {
  writer = await startWriter(
    { logPath: join(folder, 'log.db'), keysPath: join(folder, 'keys.db') },
    error => {
      throw error;
    },
  );
  const connection = connectWriter(writer.port());
  const ended: string[] = [];
  const note = (what: string) => () => void ended.push(what);
  const key = { keyId: 'k', owner: 'o', session: '', wrapped: new Uint8Array(8) };
  await Promise.all([
    connection.request({ keys: [key] }).then(note('key made')),
    connection.destroy({ owner: 'o', session: '' }).then(note('keys destroyed')),
    connection
      .request({ records: [{ topic: 'turns', key: 'k', value: Buffer.from('words') }] })
      .then(note('appended')),
  ]);
  expect(ended[0]).toBe('appended');
  expect(ended.sort()).toEqual(['appended', 'key made', 'keys destroyed']);
  await connection.close();
});
