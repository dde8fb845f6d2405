import type { Generational } from '../../../projections/all.ts';
import type { Registered } from '../../generations.ts';

/** The registered generations of the projections, shared by all processes. */
export interface GenerationRegistry {
  /** Return the latest acknowledged state; undefined before the projection was migrated. */
  read(projection: Generational): Promise<Registered | undefined>;
  /**
   * Replace the state by the result of `change`, calling it again when another process changed the state
   * first; undefined keeps the state. Resolve with the resulting state.
   */
  change(
    projection: Generational,
    change: (registered: Registered) => Registered | undefined,
  ): Promise<Registered>;
}
