import { readFileSync } from 'node:fs';
import { makeLanguage } from '../../../../domain/language/language.ts';

export const tableBytes = new Uint8Array(
  readFileSync(new URL('../../../../domain/language/vectors/static-vectors.bin', import.meta.url)),
);

/** The language as the service opens it, on bytes that threads can share. */
const shared = new Uint8Array(new SharedArrayBuffer(tableBytes.length));
shared.set(tableBytes);
export const language = makeLanguage(shared);

export const said = { role: 'Ann', timestamp: Date.UTC(2023, 4, 8) };
