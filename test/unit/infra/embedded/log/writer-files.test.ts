import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { openWriterFiles } from '../../../../../infra/embedded/log/writer-files.ts';
import type { WriterRequest } from '../../../../../infra/embedded/log/writer-messages.ts';
import { temporaryFolder } from '../../../../support/processes/server.ts';

const key = (session: string) => ({
  keyId: `key-${session}`,
  owner: 'o',
  session,
  wrapped: new Uint8Array(1),
});
const append = (number: number, text: string): WriterRequest => ({
  number,
  records: [{ topic: 'turns', key: 'k', partition: 0 }],
  values: Buffer.from(text),
  lengths: [text.length],
});

const open = () => {
  const folder = temporaryFolder();
  const paths = { logPath: join(folder, 'log.db'), keysPath: join(folder, 'keys.db') };
  return { paths, files: openWriterFiles(paths) };
};

it('reports destroyed keys even if the write-ahead log can not be truncated, and before the records are written', () => {
  const { paths, files } = open();
  files.write([{ number: 1, keys: [key('a')] }], () => expect.unreachable());
  const reader = new DatabaseSync(paths.keysPath, { timeout: 0 });
  reader.exec('BEGIN');
  reader.prepare('SELECT * FROM keys').all();
  let told = 0;
  files.write([{ number: 2, destroy: { owner: 'o', session: 'a' } }], () => told++);
  expect(told).toBe(1);
  reader.close();
  files.close();
});

it('continues after what is committed when it is opened anew', () => {
  const { paths, files } = open();
  expect(files.write([append(1, 'one')], () => {})).toMatchObject([{ addresses: [{ offset: 0 }] }]);
  // Another connection commits this, as a commit of unknown end does.
  const other = openWriterFiles(paths);
  other.write([append(1, 'two')], () => {});
  other.close();
  expect(() => files.write([append(2, 'three')], () => {})).toThrow(/UNIQUE/);
  files.close();
  const anew = openWriterFiles(paths);
  expect(anew.write([append(2, 'three')], () => {})).toMatchObject([{ addresses: [{ offset: 2 }] }]);
  anew.close();
});

it('stores what shares a commit with a request that can not be written', () => {
  const { files } = open();
  const faulty = {
    ...append(2, 'two'),
    records: [{ topic: 'no such topic' as never, key: 'k', partition: 0 }],
  };
  const unwritable = { ...append(3, 'three') };
  unwritable.records![0]!.headers = { attempt: 1n as never };
  expect(files.write([append(1, 'one'), faulty, unwritable, append(4, 'four')], () => {})).toEqual([
    { number: 1, addresses: [{ topic: 'turns', partition: 0, offset: 0 }] },
    { number: 2, error: expect.stringContaining('no such table') },
    { number: 3, error: expect.stringContaining('BigInt') },
    { number: 4, addresses: [{ topic: 'turns', partition: 0, offset: 1 }] },
  ]);
  expect(files.write([append(5, 'five')], () => {})).toMatchObject([{ addresses: [{ offset: 2 }] }]);
  files.close();
});
