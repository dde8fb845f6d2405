import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

/**
 * Returns the static vectors, shared by all threads. They are read in place: another copy would be garbage
 * that is collected late.
 */
export const sharedTable = (): SharedArrayBuffer => {
  const file = openSync(new URL('../../domain/language/vectors/static-vectors.bin', import.meta.url), 'r');
  try {
    const shared = new SharedArrayBuffer(fstatSync(file).size);
    const bytes = new Uint8Array(shared);
    for (let at = 0; at < bytes.length; ) at += readSync(file, bytes, at, bytes.length - at, at);
    return shared;
  } finally {
    closeSync(file);
  }
};
