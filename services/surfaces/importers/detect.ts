import { FORMAT as EVENTS_FORMAT } from '../../use-cases/transfer/export-format.ts';
import { conversationFiles, isObject } from './assistants/conversation-files.ts';
import type { Archive } from './files/archive.ts';
import { jsonValues } from './files/json-values.ts';
import { linesOf } from './files/lines.ts';
import { OPENING_BRACE, OPENING_BRACKET, opening } from './files/opening.ts';
import { FORMATS, type FormatName, formatNamed } from './formats.ts';

/** A file whose first line is longer than any header or turn can't be JSON Lines. */
const LONGEST_LINE = 8 * 1024 * 1024;

const parsed = (bytes: Buffer | undefined): unknown => {
  try {
    return bytes && JSON.parse(bytes.toString());
  } catch {
    return undefined;
  }
};

const openingOf = async (archive: Archive, file: string): Promise<number | undefined> => {
  for await (const chunk of archive.read(file)) return opening(chunk);
  return undefined;
};

/**
 * Returns the first element of an array; otherwise the first line if it is valid JSON on its own; otherwise
 * the whole value. Undefined for a text that is no JSON, of which no more is read.
 */
const firstValue = async (archive: Archive): Promise<unknown> => {
  const [file] = conversationFiles(archive);
  if (file === undefined) return undefined;
  const first = await openingOf(archive, file);
  if (first !== OPENING_BRACKET && first !== OPENING_BRACE) return undefined;
  if (first === OPENING_BRACE)
    for await (const { bytes } of linesOf(archive.read(file), LONGEST_LINE)) {
      const value = parsed(bytes?.subarray(bytes[0] === 0xef ? 3 : 0));
      if (isObject(value)) return value;
      break;
    }
  try {
    for await (const value of jsonValues(archive.read(file))) return value;
  } catch {
    // The format's own reader will report the damaged location.
  }
  return undefined;
};

/**
 * Detects the format; `events` is an export from Turnstone itself, which an operator imports. Undefined if it
 * is unknown.
 */
export const detectFormat = async (archive: Archive): Promise<FormatName | 'events' | undefined> => {
  const first = await firstValue(archive);
  if (isObject(first) && first.format === EVENTS_FORMAT) return 'events';
  for (const name of Object.keys(FORMATS) as FormatName[])
    if (await formatNamed(name).recognizes(archive, first)) return name;
  return undefined;
};
