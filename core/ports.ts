/**
 * The ports: interfaces of the engines to the services, one file each. Each port has one contract suite
 * (test/contracts) that every adapter passes. An adapter throws `ServiceError('unavailable')` for an outage;
 * no other error is transient.
 */
export type * from './ports/accounts/account-store.ts';
export type * from './ports/accounts/key-store.ts';
export type * from './ports/accounts/signing-key.ts';
export type * from './ports/admission/admission.ts';
export type * from './ports/admission/begun-erasures.ts';
export type * from './ports/admission/failure-counter.ts';
export type * from './ports/admission/rate-limiter.ts';
export type * from './ports/audit/audit-log.ts';
export type * from './ports/log/event-log.ts';
export type * from './ports/log/export-chunks.ts';
export type * from './ports/log/step-memory.ts';
export type * from './ports/models/chat.ts';
export type * from './ports/models/embed.ts';
export type * from './ports/models/endpoint-fault.ts';
export type * from './ports/models/rerank.ts';
export type * from './ports/projection/generation-files.ts';
export type * from './ports/projection/projection-store.ts';
export type * from './ports/projection/verification.ts';
export type * from './ports/recall/feed.ts';
export type * from './ports/recall/find.ts';
export type * from './ports/recall/listing.ts';
export type * from './ports/recall/retrieval.ts';
export type * from './ports/recall/scope.ts';
export type * from './ports/recall/search.ts';
export type * from './ports/recall/turn-details.ts';
export type * from './ports/usage/activity.ts';
export type * from './ports/usage/usage-ledger.ts';
export type * from './ports/usage/usage-reader.ts';
export type * from './ports/usage/usage-split.ts';
export type * from './ports/webhooks/webhooks.ts';
