export type { Added, Batch } from './batch/batch.ts';
export { type ErrorCode, type ErrorFields, TurnstoneError } from './error.ts';
export type * from './inputs.ts';
export type { Keys } from './keys.ts';
export type { Memory } from './memory.ts';
export type * from './options.ts';
export { Turnstone } from './turnstone.ts';
export type * from './types.ts';
export type { Usage } from './usage.ts';
