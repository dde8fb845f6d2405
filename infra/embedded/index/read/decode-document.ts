import type { Document } from '../../../../domain/search/document.ts';

export type DecodeDocument = (bytes: Uint8Array) => Document;
