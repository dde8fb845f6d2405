/** Transcripts of coding agents: a file of JSON Lines a session, in folders. */
import { isObject, type Json, textOf } from '../assistants/conversation-files.ts';
import type { Archive } from '../files/archive.ts';
import { linesOf } from '../files/lines.ts';
import type { Faulty } from '../turns/found.ts';

/** A line may hold a screenshot or the content of a file. */
const LONGEST_LINE = 64 * 1024 * 1024;
/** Bytes of a file that are looked at to tell its format. */
const OPENING_BYTES = 256 * 1024;

export const CALLS_OF_TOOLS = 'calls of tools and their results';
export const REASONING = "the assistant's reasoning";
export const PICTURES = 'pictures, recordings and files';

/** The files of an archive that `belongs` by their names; a single file, whatever its name. */
export const transcriptFiles = ({ kind, entries }: Archive, belongs: (path: string) => boolean): string[] =>
  entries.filter(({ path }) => kind === 'file' || belongs(path)).map(({ path }) => path);

const parsed = (bytes: Buffer | undefined): unknown => {
  try {
    return bytes && JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
};

const isBlank = (bytes: Buffer | undefined): boolean => bytes?.toString().trim() === '';

/** Yields the objects of a transcript with their places; what is none is a fault of its line. */
export async function* transcriptLines(
  archive: Archive,
  file: string,
): AsyncGenerator<{ location: string; line: Json } | Faulty> {
  const where = archive.kind === 'file' ? '' : `${file}, `;
  for await (const { number, bytes } of linesOf(archive.read(file), LONGEST_LINE)) {
    const location = `${where}line ${number}`;
    const line = parsed(bytes);
    if (isObject(line)) yield { location, line };
    else if (!isBlank(bytes)) yield { location, faults: ['is no JSON object in UTF-8, or is too long'] };
  }
}

/** Whether one of the first lines of one of these files passes. */
export const opensWith = async (
  archive: Archive,
  files: readonly string[],
  passes: (line: Json) => boolean,
): Promise<boolean> => {
  for (const file of files.slice(0, 3)) {
    let read = 0;
    for await (const { bytes, size } of linesOf(archive.read(file), OPENING_BYTES)) {
      const line = parsed(bytes);
      if (isObject(line) && passes(line)) return true;
      read += size;
      if (read > OPENING_BYTES) break;
    }
  }
  return false;
};

/** The text of the blocks of these types, and the blocks of others. */
export const blocksOf = (content: unknown, said: ReadonlySet<unknown>): { text: string; others: Json[] } => {
  const blocks = Array.isArray(content) ? content.filter(isObject) : [];
  const texts = blocks.flatMap(({ type, text }) => (said.has(type) ? (textOf(text) ?? []) : []));
  return { text: texts.join('\n\n'), others: blocks.filter(({ type }) => !said.has(type)) };
};
