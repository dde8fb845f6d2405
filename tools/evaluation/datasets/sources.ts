import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { EXIT, failure } from '../../../services/surfaces/client/exit.ts';
import type { Source } from './read-published.ts';

/** Runs a read without its own error message: that of JSON.parse or a parser would quote the file. */
export const attempt = <T>(read: () => T, what: string): T => {
  try {
    return read();
  } catch {
    throw failure(EXIT.failure, what);
  }
};

export const readText = (file: string): string => {
  const bytes = onDisk(file, () => readFileSync(file));
  const decoder = new TextDecoder('utf-8', { fatal: true });
  return attempt(() => decoder.decode(bytes), `${file} is not UTF-8`);
};

export const isFolder = (path: string): boolean => onDisk(path, () => statSync(path)).isDirectory();

const onDisk = <T>(path: string, read: () => T): T => {
  try {
    return read();
  } catch (error) {
    throw failure(EXIT.failure, `can't read ${path}: ${(error as NodeJS.ErrnoException).code}`, error);
  }
};

const withoutEnding = (file: string): string => basename(file, extname(file));

/** Returns one JSON value for the file or, if it isn't one, one per line. */
export const sourcesOf = (file: string, text: string): Source[] => {
  const place = basename(file);
  try {
    return [{ name: withoutEnding(file), place, value: JSON.parse(text) }];
  } catch {
    return text.split('\n').flatMap((line, i) => {
      if (line.trim() === '') return [];
      const value = attempt(() => JSON.parse(line), `${file} is not JSON: line ${i + 1}`);
      return { name: `${withoutEnding(file)} ${i + 1}`, place: `${place}, line ${i + 1}`, value };
    });
  }
};

const CHAT = 'chat.json';
const QUESTIONS = join('probing_questions', 'probing_questions.json');

const jsonOf = (file: string): unknown => attempt(() => JSON.parse(readText(file)), `${file} is not JSON`);

/** Sorts names with `2` before `10`. */
const inOrder = (names: readonly string[]): string[] => {
  const collator = new Intl.Collator('en', { numeric: true });
  return [...names].sort(collator.compare);
};

/**
 * Returns the contents of a folder: a BEAM chat or folders of such, or files of JSON. Other files and folders
 * in it are skipped, and so is a chat without questions.
 */
export const sourcesIn = (folder: string): Source[] => {
  const entries = onDisk(folder, () => readdirSync(folder, { withFileTypes: true }));
  const folders = entries.filter(entry => entry.isDirectory()).map(({ name }) => name);
  const chats = [folder, ...inOrder(folders).map(name => join(folder, name))].filter(
    path => existsSync(join(path, CHAT)) && existsSync(join(path, QUESTIONS)),
  );
  if (chats.length > 0)
    return chats.map(path => ({
      name: basename(path),
      place: basename(path),
      value: { chat: jsonOf(join(path, CHAT)), questions: jsonOf(join(path, QUESTIONS)) },
    }));
  const files = entries.filter(({ name }) => /\.jsonl?$/.test(name)).map(({ name }) => name);
  return inOrder(files).flatMap(name => {
    const file = join(folder, name);
    return sourcesOf(file, readText(file));
  });
};
