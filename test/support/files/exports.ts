/** Exports as other programs give them out: the fixtures, zip files of them, and what is read from them. */
import { createWriteStream, globSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import yazl from 'yazl';
import { type Archive, openArchive } from '../../../services/surfaces/importers/files/archive.ts';
import {
  type FormatName,
  formatNamed,
  type ReadOptions,
} from '../../../services/surfaces/importers/formats.ts';
import type { Found, FoundTurn } from '../../../services/surfaces/importers/turns/found.ts';
import { ROOT, temporaryFolder } from '../processes/server.ts';

export const EXPORTS = join(ROOT, 'test/fixtures/exports');

/** The files below a folder of the fixtures, by their paths in it. */
export const fixtureFiles = (name: string): Record<string, Buffer> =>
  Object.fromEntries(
    globSync('**/*.*', { cwd: join(EXPORTS, name) })
      .sort()
      .map(path => [path, readFileSync(join(EXPORTS, name, path))]),
  );

const folder = temporaryFolder();

/** Returns the path of a new file, whose name another one may have too. */
const pathOf = (name: string): string => join(mkdtempSync(join(folder, 'file-')), name);

/** Writes a zip file and gives its path. */
export const zipFile = async (name: string, files: Record<string, Buffer | string>): Promise<string> => {
  const path = pathOf(name);
  const zip = new yazl.ZipFile();
  for (const [file, bytes] of Object.entries(files)) zip.addBuffer(Buffer.from(bytes as string), file);
  zip.end();
  await pipeline(zip.outputStream, createWriteStream(path));
  return path;
};

export const textFile = (name: string, text: string | Buffer): string => {
  const path = pathOf(name);
  writeFileSync(path, text);
  return path;
};

/** An archive whose every file comes in pieces of so many bytes. */
const inPieces = (archive: Archive, bytes: number): Archive => ({
  ...archive,
  read: async function* (path) {
    for await (const chunk of archive.read(path))
      for (let start = 0; start < chunk.length; start += bytes) yield chunk.subarray(start, start + bytes);
  },
});

interface Reading {
  turns: FoundTurn[];
  leftOut: Record<string, number>;
  faults: [string | number, ...string[]][];
}

/** All that a format finds, in order. */
const readingOf = async (found: AsyncIterable<Found>): Promise<Reading> => {
  const reading: Reading = { turns: [], leftOut: {}, faults: [] };
  for await (const one of found) {
    if ('turn' in one) reading.turns.push(one);
    else if ('faults' in one) reading.faults.push([one.location, ...one.faults]);
    else reading.leftOut[one.leftOut] = (reading.leftOut[one.leftOut] ?? 0) + one.count;
  }
  return reading;
};

/** Opens and reads a path; `pieces`: in pieces of so many bytes. */
export const readExport = async (
  path: string,
  format: FormatName,
  options: ReadOptions = {},
  pieces = 65_536,
): Promise<Reading> => {
  const archive = await openArchive(path);
  try {
    return await readingOf(formatNamed(format).read(inPieces(archive, pieces), options));
  } finally {
    archive.close();
  }
};

/** `session role time text`, a turn a line. */
export const shown = ({ turns }: Reading): string[] =>
  turns.map(({ session, turn }) => `${session} ${turn.role} ${turn.timestamp} ${turn.text}`);
