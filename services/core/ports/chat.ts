/** Calls a language model. */
export interface Chat {
  /** Rejects only when `signal` is aborted: a fault is an outcome. */
  complete(request: object, signal: AbortSignal): Promise<ChatOutcome>;
}

export type ChatOutcome = { kind: 'answered'; completion: unknown } | ChatFault;

export interface ChatFault {
  /** `limited`: too many requests; `away`: no answer, or a server error; `refused`: a retry gets the same answer. */
  kind: 'limited' | 'away' | 'refused';
  /** For people: only the kind of fault, never what was sent or answered. */
  reason: string;
  /** How long the server asks to wait before a retry. */
  retryAfterMs?: number | undefined;
}
