/** Looks for words in bytes, as whoever steals a disk would. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../wait.ts';

/**
 * UTF-8, UTF-16 in both orders, and base64 at each of its three alignments without the letters that a
 * neighbour shares.
 */
const encodings = (word: string): Buffer[] => {
  const plain = Buffer.from(word);
  const utf16 = Buffer.from(word, 'utf16le');
  const base64 = [0, 1, 2].map(shift => {
    const text = Buffer.concat([Buffer.alloc(shift), plain])
      .toString('base64')
      .replace(/=+$/, '');
    const whole = Math.floor(((shift + plain.length) * 8) / 6);
    return Buffer.from(text.slice(Math.ceil((shift * 8) / 6), whole));
  });
  return [plain, utf16, Buffer.from(utf16).swap16(), ...base64];
};

/** The words that the bytes hold, as they are or in small letters. */
export const wordsIn = (bytes: Buffer, words: readonly string[]): string[] =>
  words.filter(word =>
    [...encodings(word), ...encodings(word.toLowerCase())].some(encoded => bytes.includes(encoded)),
  );

/** By file of the folder: the words that it holds; files without any are left out. */
export const wordsInFolder = (folder: string, words: readonly string[]): Record<string, string[]> =>
  Object.fromEntries(
    readdirSync(folder, { withFileTypes: true, recursive: true })
      .filter(entry => entry.isFile())
      .map(entry => join(entry.parentPath, entry.name))
      .map(path => [path.slice(folder.length + 1), wordsIn(readFileSync(path), words)] as const)
      .filter(([, found]) => found.length > 0),
  );

/** The files are written anew a moment after an erasure was answered. */
export const untilGone = (folder: string, words: readonly string[]): Promise<void> =>
  until(
    `nothing of it is in ${folder}`,
    () => Object.keys(wordsInFolder(folder, words)).length === 0,
    15_000,
  );
