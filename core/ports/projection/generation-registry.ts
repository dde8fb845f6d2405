import type { Generational } from '../../../projections/all.ts';
import type { Registered } from '../../generations.ts';

/** The registered generations of the projections, shared by all processes. */
export interface GenerationRegistry {
  /** The latest acknowledged state; undefined before the projection was migrated. */
  read(projection: Generational): Promise<Registered | undefined>;
  /**
   * Replaces the state by the result of `change`, which is called again when another process changed it first; undefined
   * keeps the state. Resolves with the resulting state.
   */
  change(
    projection: Generational,
    change: (registered: Registered) => Registered | undefined,
  ): Promise<Registered>;
}
