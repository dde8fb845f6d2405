/** The messages of the calls `generations`, `replay`, `rollback` and `retire`, in both modes. */
import { PROJECTION_NAMES, type ProjectionName } from '../../projections/all.ts';
import type {
  Generation,
  ReplayPlan,
  ReplayProgress,
  Verification,
} from '../ports/projection/generations.ts';

export type { Generation };

/**
 * Names that operators can replay: the projections, and admission, which is a projection in the shared
 * engines.
 */
export type ReplayedName = ProjectionName | 'admission';
export const REPLAYED_NAMES: readonly ReplayedName[] = [...PROJECTION_NAMES, 'admission'];

/** The progress of a replay. */
export type ReplayMessage =
  | ({ kind: 'plan'; dryRun: boolean } & ReplayPlan)
  | ({
      kind: 'progress';
      phase: ReplayProgress['phase'] | 'verifying';
      eventsPerSecond: number;
      secondsLeft: number | null;
    } & Pick<ReplayProgress, 'events' | 'total'>)
  | ({ kind: 'verified' } & Verification)
  | { kind: 'promoted'; generation: number; standby: number | null; seconds: number }
  /** For a projection without generations: counts of the rows compared with the log and repaired in place. */
  | { kind: 'repaired'; projection: ReplayedName; checked: number; replaced: number; removed: number };

/**
 * The last message of `rollback` and `retire`. A rollback to a standby that lacks events reports its replay
 * first.
 */
export type GenerationChange =
  | { kind: 'rolled back'; projection: Generation['projection']; serving: number; standby: number | null }
  | { kind: 'retired'; projection: Generation['projection']; generation: number };
