import type { Tokens } from '../admission/admission.ts';

export interface UsageReader {
  /**
   * Return the tokens billed from `from` to `to` (UTC days, YYYY-MM-DD, inclusive), including everything
   * answered before the call.
   */
  billed(org: string, from: string, to: string): Promise<Tokens>;
  /** Return the same per day; a day without usage may be missing. */
  daily(org: string, from: string, to: string): Promise<ReadonlyMap<string, Tokens>>;
}
