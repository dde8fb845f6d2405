/** The head of a message: its fields, unfolded. */
import { decodeWords } from 'postal-mime';

export type Head = ReadonlyMap<string, string>;

const LONGEST_HEAD = 256 * 1024;

/** Reads the fields by their names in lower case; of several of one name the first. */
export const headOf = (bytes: Buffer): Head => {
  const fields = new Map<string, string>();
  const [head = ''] = bytes
    .subarray(0, LONGEST_HEAD)
    .toString('latin1')
    .split(/\r?\n\r?\n/, 1);
  for (const line of head.replace(/\r?\n[ \t]+/g, ' ').split(/\r?\n/)) {
    const [, name, value] = /^([!-9;-~]+):\s*(.*)$/.exec(line) ?? [];
    if (name !== undefined && !fields.has(name.toLowerCase())) fields.set(name.toLowerCase(), value!.trim());
  }
  return fields;
};

/** A field's words. Some programs write UTF-8 as it is, instead of encoded words. */
export const wordsIn = (head: Head, name: string): string => {
  const value = head.get(name) ?? '';
  const utf8 = Buffer.from(value, 'latin1').toString('utf8');
  return decodeWords(utf8.includes('\ufffd') ? value : utf8);
};

/** The ids of messages in a field. */
export const idsIn = (head: Head, name: string): string[] =>
  [...(head.get(name) ?? '').matchAll(/<([^<>\s]+)>/g)].map(([, id]) => id!);
