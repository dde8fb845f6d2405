/**
 * What the services need from the engines, with a file for each need. Each port has one contract suite (test/contracts)
 * that every adapter passes. An adapter throws `ServiceError('unavailable')` for an outage; nothing else is transient.
 */
export type * from './ports/account-store.ts';
export type * from './ports/admission.ts';
export type * from './ports/chat.ts';
export type * from './ports/embed.ts';
export type * from './ports/endpoint-fault.ts';
export type * from './ports/event-log.ts';
export type * from './ports/export-chunks.ts';
export type * from './ports/failure-counter.ts';
export type * from './ports/feed.ts';
export type * from './ports/generation-files.ts';
export type * from './ports/key-store.ts';
export type * from './ports/listing.ts';
export type * from './ports/projection-store.ts';
export type * from './ports/rate-limiter.ts';
export type * from './ports/rerank.ts';
export type * from './ports/retrieval.ts';
export type * from './ports/scope.ts';
export type * from './ports/search.ts';
export type * from './ports/signing-key.ts';
export type * from './ports/step-memory.ts';
export type * from './ports/turn-details.ts';
export type * from './ports/usage-ledger.ts';
export type * from './ports/usage-reader.ts';
export type * from './ports/verification.ts';
