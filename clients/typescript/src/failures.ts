/** The turns of a batch that were not stored, until they are told. */
import { TurnstoneError } from './error.ts';

/** As many are told one by one. */
const MOST_TOLD = 100;

interface Failures {
  count: number;
  first: { index: number; error: TurnstoneError }[];
}

const notStored = ({ count, first }: Failures): TurnstoneError => {
  const { message, status, requestId } = first[0]!.error;
  return new TurnstoneError(`${count} turns were not stored; the first: ${message}`, {
    code: 'not_stored',
    status,
    requestId,
    cause: first[0]!.error,
    details: {
      failed: first.map(({ index, error: { code, message } }) => ({ index, code, message })),
      omitted: count - first.length,
    },
  });
};

export interface FailureNotes {
  note(index: number, error: TurnstoneError): void;
  /** Begins a flush. What is returned ends it, and throws when there are failures that none had told as it began. */
  follow(): () => void;
}

/** Each flush has its own: of two at once, both tell what failed meanwhile. */
export const makeFailures = (): FailureNotes => {
  let untold: Failures = { count: 0, first: [] };
  const followed = new Set<Failures>();

  return {
    note: (index, error) => {
      for (const failures of [untold, ...followed]) {
        failures.count++;
        if (failures.first.length < MOST_TOLD) failures.first.push({ index, error });
      }
    },
    follow: () => {
      const failures: Failures = { count: untold.count, first: [...untold.first] };
      followed.add(failures);
      return () => {
        followed.delete(failures);
        // It has them all: those of its beginning, and every one since then.
        untold = { count: 0, first: [] };
        if (failures.count > 0) throw notStored(failures);
      };
    },
  };
};
