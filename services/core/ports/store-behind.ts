import { ServiceError } from '../errors.ts';
import { type Partition, partitionName } from '../log/positions.ts';

/** The part of a partition that a batch was made of: its first offset, and the next one after it. */
export interface LogRange extends Partition {
  from: number;
  next: number;
}

/**
 * A store that held the log up to a batch no longer does: it was restored from an older copy, or lost what was written.
 * Thrown rather than returned, like `WrongVersion`: nothing may be committed after it, in whichever store it was found.
 */
export class StoreBehind extends ServiceError {
  readonly projection: string;
  /** The next offset that the store lacks. */
  readonly offset: number;

  constructor(projection: string, { from, ...partition }: LogRange, offset: number) {
    const name = partitionName(partition);
    super(
      'unavailable',
      `The store of ${projection} holds ${name} up to ${offset}, and held it up to ${from}.`,
    );
    this.name = 'StoreBehind';
    this.projection = projection;
    this.offset = offset;
  }
}
