import type { Condition } from '../../../domain/filter/condition.ts';

/** A part of an organization's data. */
export interface Scope {
  org: string;
  /** One end-user partition; undefined: the whole organization. */
  user?: string | undefined;
  session?: string | undefined;
  /** Unix milliseconds, inclusive. */
  since?: number | undefined;
  until?: number | undefined;
  /** Only what was recorded by this instant: Unix milliseconds, inclusive. */
  asOf?: number | undefined;
  /** Only turns whose metadata passes, and observations found in them. */
  filter?: Condition | undefined;
}
