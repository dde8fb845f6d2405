/** The turns of a batch that were not stored, kept until a flush reports them. */
import { TurnstoneError } from '../error.ts';

/** The most failures that are listed individually. */
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
  /**
   * Starts a flush. The returned function ends it, and throws if any failures were unreported at its start or
   * occurred since.
   */
  follow(): () => void;
}

/** Each flush has its own list, so that two concurrent flushes both report what failed during them. */
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
        // This flush has all failures: those from before its start, and every one since.
        untold = { count: 0, first: [] };
        if (failures.count > 0) throw notStored(failures);
      };
    },
  };
};
