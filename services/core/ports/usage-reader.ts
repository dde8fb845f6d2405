import type { Tokens } from './admission.ts';

export interface UsageReader {
  /** Billed from `from` to `to` (UTC days, YYYY-MM-DD, inclusive), with everything answered before the call. */
  billed(org: string, from: string, to: string): Promise<Tokens>;
  /** The same, each day by itself; a day without usage may be missing. */
  daily(org: string, from: string, to: string): Promise<ReadonlyMap<string, Tokens>>;
}
