import { ServiceError } from '../../../core/errors.ts';
import { REPLAYED_NAMES, type ReplayedName } from '../../../core/operator/replay-messages.ts';

export interface ReplayOptions {
  /** Events a second at most. */
  throttle: number | undefined;
  dryRun: boolean;
}

/** The projections that `projection` names: one, or `all`. */
export const projectionsOf = ({ projection }: Record<string, unknown>): readonly ReplayedName[] => {
  const names = projection === 'all' ? REPLAYED_NAMES : REPLAYED_NAMES.filter(name => name === projection);
  if (names.length === 0)
    throw new ServiceError('invalid', `projection must be one of ${[...REPLAYED_NAMES, 'all'].join(', ')}.`);
  return names;
};

export const replayOptionsOf = ({ throttle, dryRun }: Record<string, unknown>): ReplayOptions => {
  const isGiven = throttle !== undefined && throttle !== null;
  if (isGiven && (!Number.isSafeInteger(throttle) || (throttle as number) < 1))
    throw new ServiceError('invalid', 'throttle must be a whole number of events a second, at least 1.');
  return { throttle: isGiven ? (throttle as number) : undefined, dryRun: dryRun === true };
};
