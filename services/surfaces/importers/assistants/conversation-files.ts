/** The common part of ChatGPT's and Claude's exports: conversations in JSON arrays, in one or more files. */
import type { Archive } from '../files/archive.ts';
import { jsonValues } from '../files/json-values.ts';
import { importFault, isImportFault } from '../turns/found.ts';

/**
 * Matches `conversations.json`; ChatGPT's exports since 2026 have `conversations-000.json`,
 * `conversations-001.json`, …
 */
const CONVERSATIONS = /(^|\/)conversations([-_]\d+)?\.json$/i;

export const conversationFiles = ({ kind, entries }: Archive): string[] =>
  entries.filter(({ path }) => kind === 'file' || CONVERSATIONS.test(path)).map(({ path }) => path);

export type Json = Record<string, unknown>;

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

/** Yields every conversation, with its location for error messages. */
export async function* conversationsOf(
  archive: Archive,
): AsyncGenerator<{ location: string; value: unknown }> {
  const files = conversationFiles(archive);
  if (files.length === 0) throw importFault('has no conversations.json');
  for (const file of files) {
    const where = files.length > 1 ? `${file}, ` : '';
    let number = 0;
    try {
      for await (const value of jsonValues(archive.read(file)))
        yield { location: `${where}conversation ${++number}`, value };
    } catch (error) {
      if (isImportFault(error) && archive.kind !== 'file')
        throw importFault(`${file} ${error.message}`, error);
      throw error;
    }
  }
}
