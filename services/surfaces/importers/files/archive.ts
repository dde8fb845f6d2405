/** The container of an export: a file, a folder or a zip file. Nothing is extracted to disk. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { lstat, open, readdir, stat } from 'node:fs/promises';
import { basename, join, relative, resolve, sep } from 'node:path';
import { importFault } from '../turns/found.ts';
import type { Entry } from './entry.ts';
import { openZip } from './zip.ts';

export interface Archive {
  kind: 'file' | 'folder' | 'zip';
  /** The name of the file or the folder, without its path. */
  name: string;
  /** Sorted by path. */
  entries: Entry[];
  /** Can be read any number of times. */
  read(path: string): AsyncIterable<Buffer>;
  /** Equal for archives with the same content. */
  fingerprint(): Promise<string>;
  close(): void;
}

const hashOf = (parts: unknown[]): string => createHash('sha256').update(JSON.stringify(parts)).digest('hex');

const byPath = (a: Entry, b: Entry): number => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0);

async function* fileChunks(path: string): AsyncGenerator<Buffer> {
  yield* createReadStream(path, { highWaterMark: 256 * 1024 }) as AsyncIterable<Buffer>;
}

/** Symbolic links are not followed: files outside the folder are not part of the export. */
const openFolder = async (path: string): Promise<Archive> => {
  const entries: Entry[] = [];
  const stamps: unknown[] = [];
  for (const found of await readdir(path, { recursive: true, withFileTypes: true })) {
    if (!found.isFile()) continue;
    const file = join(found.parentPath, found.name);
    const { size, mtimeMs } = await lstat(file);
    const entry = { path: relative(path, file).replaceAll(sep, '/'), size };
    entries.push(entry);
    stamps.push([entry.path, size, mtimeMs]);
  }
  return {
    kind: 'folder',
    name: basename(resolve(path)),
    entries: entries.sort(byPath),
    read: entry => fileChunks(join(path, entry)),
    fingerprint: async () => hashOf(stamps.sort()),
    close: () => {},
  };
};

const ZIP_SIGNATURES = new Set([0x04034b50, 0x06054b50]);

const isZip = async (path: string): Promise<boolean> => {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4), 0, 4, 0);
    return bytesRead === 4 && ZIP_SIGNATURES.has(buffer.readUInt32LE());
  } finally {
    await file.close();
  }
};

/** Opens an archive. Rejects with an `ImportFault`, or with the system's error if the file can't be read. */
export const openArchive = async (path: string): Promise<Archive> => {
  const found = await stat(path);
  if (found.isDirectory()) return openFolder(path);
  if (!found.isFile()) throw importFault('is neither a file nor a folder');
  const name = basename(path);
  if (await isZip(path)) {
    const { entries, checksums, read, close } = await openZip(path);
    return {
      kind: 'zip',
      name,
      entries: entries.sort(byPath),
      read,
      fingerprint: async () => hashOf(checksums),
      close,
    };
  }
  return {
    kind: 'file',
    name,
    entries: [{ path: name, size: found.size }],
    read: () => fileChunks(path),
    fingerprint: async () => {
      const hash = createHash('sha256');
      for await (const chunk of fileChunks(path)) hash.update(chunk);
      return hash.digest('hex');
    },
    close: () => {},
  };
};
