import { ServiceError } from '../../../core/errors.ts';
import type { Generation } from '../../../core/ports/projection/generations.ts';

const conflict = (message: string): ServiceError => new ServiceError('conflict', message);

const of = (projection: Generation['projection']): string =>
  projection === 'all' ? '' : ` of ${projection}`;

/** The error for a second replay: no two replays build the same generations. */
export const replayRuns = (projection: Generation['projection']): ServiceError =>
  conflict(`A replay${of(projection)} is running already: \`turnstone generations\` shows how far it is.`);

/** The error when there is nothing to roll back to or to retire. */
export const noStandby = (projection: Generation['projection']): ServiceError =>
  conflict(`There is no standby generation${of(projection)}.`);

export const notPromoted = (generation: number, reason: string, cause: unknown): ServiceError =>
  new ServiceError('conflict', `Generation ${generation} was not promoted: ${reason}`, { cause });
