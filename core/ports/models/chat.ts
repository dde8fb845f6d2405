import type { EndpointFault } from './endpoint-fault.ts';

/** Call a language model. */
export interface Chat {
  /** Reject only when `signal` is aborted: a fault is an outcome. */
  complete(request: object, signal: AbortSignal): Promise<ChatOutcome>;
}

export type ChatOutcome = { kind: 'answered'; completion: unknown } | EndpointFault;
