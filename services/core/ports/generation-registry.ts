import type { Generational } from '../../../projections/all.ts';
import type { Registered } from '../generations.ts';

/** Which generations the projections have, shared by all processes. */
export interface GenerationRegistry {
  /** The latest acknowledged state; undefined before the projection was migrated. */
  read(projection: Generational): Promise<Registered | undefined>;
  /**
   * Replaces what is there by what `change` returns, called again when another process was faster; undefined leaves it.
   * Resolves with what is there then.
   */
  change(
    projection: Generational,
    change: (registered: Registered) => Registered | undefined,
  ): Promise<Registered>;
}
