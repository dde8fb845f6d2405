/** How a fixture is kept: a head as JSON with its length before it, bytes behind it, all of it compressed. */
import { readFileSync } from 'node:fs';
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { OrganizationThen } from './world.ts';

const LENGTH_BYTES = 4;

/** A write-ahead log has a page many times, megabytes apart: the window has to hold all of them. */
const SMALL = {
  [constants.ZSTD_c_compressionLevel]: 19,
  [constants.ZSTD_c_windowLog]: 27,
  [constants.ZSTD_c_enableLongDistanceMatching]: 1,
};

export const pack = (head: object, parts: readonly Uint8Array[]): Buffer => {
  const json = Buffer.from(JSON.stringify(head));
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32LE(json.length);
  return zstdCompressSync(Buffer.concat([length, json, ...parts]), { params: SMALL });
};

/** The bytes behind the head, by their lengths in it. */
const unpack = <Head>(name: string, lengths: (head: Head) => number[]): { head: Head; parts: Buffer[] } => {
  const packed = readFileSync(new URL(`../../golden/last-release/${name}`, import.meta.url));
  const bytes = zstdDecompressSync(packed);
  const start = LENGTH_BYTES + bytes.readUInt32LE();
  const head = JSON.parse(bytes.toString('utf8', LENGTH_BYTES, start)) as Head;
  let at = start;
  const parts = lengths(head).map(length => {
    at += length;
    return bytes.subarray(at - length, at);
  });
  return { head, parts };
};

interface Then {
  commit: string;
  organizations: OrganizationThen[];
}

export interface FolderThen extends Then {
  files: { name: string; bytes: number }[];
}

/** `bytes`: -1 for a tombstone. */
export interface RecordThen {
  topic: string;
  partition: number;
  name: string | null;
  headers: Record<string, string>;
  bytes: number;
}

export interface TopicsThen extends Then {
  partitions: number;
  /** In base64. */
  installationKey: string;
  records: RecordThen[];
}

const FOLDER = 'folder.zst';
const TOPICS = 'topics.zst';

export const readFolder = () => unpack<FolderThen>(FOLDER, ({ files }) => files.map(({ bytes }) => bytes));
export const readTopics = () =>
  unpack<TopicsThen>(TOPICS, ({ records }) => records.map(({ bytes }) => Math.max(0, bytes)));
