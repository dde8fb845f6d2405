import type { Positions } from '../core/ports.ts';
import type { ExtractorState } from './enricher/extractor.ts';
import type { PoisonKind } from './projector/dead-letters.ts';
import type { LimitName } from './projector/poison-limits.ts';

/** What a projector or an enricher reports, wherever it runs; `Progress` keeps it. */
export type Report =
  | { kind: 'ready'; positions: Positions }
  | {
      kind: 'progress';
      positions: Positions;
      /** Handled since the last report. */
      events: number;
      deadLetters: number;
      /** One for each dead letter. */
      kinds?: readonly PoisonKind[];
    }
  /** `limit`: the limit of dead letters that stopped it, if one did. */
  | { kind: 'stopped'; reason: string; limit?: LimitName | undefined }
  | { kind: 'trouble'; message: string }
  | { kind: 'extractor'; state: ExtractorState };
