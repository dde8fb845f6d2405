import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

/** The static vectors, for all threads. Read in place: a copy beside it would be garbage that no collection is due for. */
export const sharedTable = (): SharedArrayBuffer => {
  const file = openSync(new URL('../../../projections/language/static-vectors.bin', import.meta.url), 'r');
  try {
    const shared = new SharedArrayBuffer(fstatSync(file).size);
    const bytes = new Uint8Array(shared);
    for (let at = 0; at < bytes.length; ) at += readSync(file, bytes, at, bytes.length - at, at);
    return shared;
  } finally {
    closeSync(file);
  }
};
