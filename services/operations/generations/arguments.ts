import { ServiceError } from '../../core/errors.ts';
import { PROJECTIONS, type ProjectionName } from '../operator/generations.ts';

export interface ReplayOptions {
  /** Events a second at most. */
  throttle: number | undefined;
  dryRun: boolean;
}

/** The projections that `projection` names: one, or `all`. */
export const projectionsOf = ({ projection }: Record<string, unknown>): readonly ProjectionName[] => {
  const names = projection === 'all' ? PROJECTIONS : PROJECTIONS.filter(name => name === projection);
  if (names.length === 0)
    throw new ServiceError('invalid', `projection must be one of ${[...PROJECTIONS, 'all'].join(', ')}.`);
  return names;
};

export const replayOptionsOf = ({ throttle, dryRun }: Record<string, unknown>): ReplayOptions => {
  const isGiven = throttle !== undefined && throttle !== null;
  if (isGiven && (!Number.isSafeInteger(throttle) || (throttle as number) < 1))
    throw new ServiceError('invalid', 'throttle must be a whole number of events a second, at least 1.');
  return { throttle: isGiven ? (throttle as number) : undefined, dryRun: dryRun === true };
};
