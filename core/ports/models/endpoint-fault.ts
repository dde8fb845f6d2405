/** Why a model's endpoint gave no answer. */
export interface EndpointFault {
  /**
   * `limited`: too many requests; `away`: no answer, or a server error; `refused`: a retry gets the same
   * answer.
   */
  kind: 'limited' | 'away' | 'refused';
  /** For people: only the kind of fault, never what was sent or answered. */
  reason: string;
  /** How long the server asks to wait before a retry. */
  retryAfterMs?: number | undefined;
}
