import type { Document } from '../../../projections/recall/document.ts';

export type DecodeDocument = (bytes: Uint8Array) => Document;
