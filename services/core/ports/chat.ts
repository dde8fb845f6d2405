/** Asks a language model. */
export interface Chat {
  /** Rejects when `signal` is aborted, and for nothing else: a fault is an outcome. */
  complete(request: object, signal: AbortSignal): Promise<ChatOutcome>;
}

export type ChatOutcome = { kind: 'answered'; completion: unknown } | ChatFault;

export interface ChatFault {
  /** `limited`: too many requests; `away`: no answer, or a fault of the server's own; `refused`: asking again brings the same. */
  kind: 'limited' | 'away' | 'refused';
  /** For people: the kind of fault alone, never what was sent or answered. */
  reason: string;
  /** How long the server asks to be left alone. */
  retryAfterMs?: number | undefined;
}
