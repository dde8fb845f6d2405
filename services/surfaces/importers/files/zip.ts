import { openPromise, type Entry as ZipEntry, type ZipFile } from 'yauzl';
import { importFault, isImportFault } from '../turns/found.ts';
import type { Entry } from './entry.ts';

/** Exports with many pictures have about ten thousand entries. */
const MOST_ENTRIES = 1_000_000;
/** Text is compressed about 10:1, very repetitive JSON 50:1. */
const HIGHEST_RATIO = 200;
/** An entry up to this size is harmless at any compression ratio. */
const HARMLESS_BYTES = 64 * 1024 * 1024;

const isText = (path: string): boolean =>
  /\.(json|txt|jsonl|mbox|eml|af)$/i.test(path) && !path.startsWith('__MACOSX/');

const checked = (entry: ZipEntry): ZipEntry => {
  if (entry.isEncrypted()) throw importFault(`${entry.fileName} is encrypted`);
  const { uncompressedSize, compressedSize, fileName } = entry;
  if (uncompressedSize > HARMLESS_BYTES && uncompressedSize > compressedSize * HIGHEST_RATIO)
    throw importFault(
      `${fileName} unpacks to more than ${HIGHEST_RATIO} times its size: this is not an export`,
    );
  return entry;
};

/** yauzl's error for names that point outside the zip file. */
const LEADS_OUT = /^(?:absolute path|invalid relative path): (.*)/s;

/** The text files in a zip file; others are skipped. yauzl rejects paths that point outside it. */
export const openZip = async (
  path: string,
): Promise<{
  entries: Entry[];
  /** The path of each entry and the CRC-32 of its bytes. */
  checksums: [string, number][];
  read(path: string): AsyncIterable<Buffer>;
  close(): void;
}> => {
  const found = new Map<string, ZipEntry>();
  let zip: ZipFile;
  try {
    zip = await openPromise(path, { lazyEntries: true, autoClose: false });
  } catch (error) {
    throw importFault('is not a readable zip file: it may have been cut short', error);
  }
  try {
    if (zip.entryCount > MOST_ENTRIES) throw importFault(`has more than ${MOST_ENTRIES} entries`);
    for await (const entry of zip.eachEntry())
      if (isText(entry.fileName)) found.set(entry.fileName, checked(entry));
  } catch (error) {
    zip.close();
    if (isImportFault(error)) throw error;
    const [, name] = LEADS_OUT.exec((error as Error).message) ?? [];
    throw importFault(
      name === undefined
        ? 'is not a readable zip file'
        : `contains ${name}, a path that points outside it: this is not an export`,
      error,
    );
  }

  async function* read(name: string): AsyncGenerator<Buffer> {
    try {
      yield* (await zip.openReadStreamPromise(found.get(name)!)) as AsyncIterable<Buffer>;
    } catch (error) {
      throw importFault("can't be unpacked: the zip file is damaged", error);
    }
  }

  return {
    entries: [...found.values()].map(entry => ({ path: entry.fileName, size: entry.uncompressedSize })),
    checksums: [...found.values()].map(entry => [entry.fileName, entry.crc32]),
    read,
    close: () => zip.close(),
  };
};
