import { unavailable } from '../../../core/errors.ts';
import type { AdmitRequest } from '../../../core/ports.ts';

export interface Attempt {
  org: string;
  day: string;
  claims: Map<string, number>;
  tokensIn: number;
}

export interface RunningAttempt extends Attempt {
  /** Resolves when the attempt has ended, whatever its outcome. */
  over: Promise<void>;
  end: () => void;
}

/** Tracks the attempts of this process and the turns that they claim. */
export const makeAttempts = () => {
  const claimed = new Map<string, RunningAttempt>();
  const attempts = new Map<string, RunningAttempt>();
  let number = 0;

  /** Returns the attempt that holds one of the request's claims, if any. */
  const holder = (request: AdmitRequest): RunningAttempt | undefined => {
    for (const { id } of request.claims) {
      const attempt = claimed.get(id);
      if (attempt) return attempt;
    }
    return undefined;
  };

  /**
   * Resolves when the attempt has ended; throws `unavailable` at the deadline (on the clock of
   * `performance.now()`).
   */
  const waitFor = async (attempt: RunningAttempt, deadline: number): Promise<void> => {
    const timer = { id: undefined as NodeJS.Timeout | undefined };
    const late = new Promise<never>((_, reject) => {
      timer.id = setTimeout(
        () => reject(unavailable('Another request is still writing the same turns.')),
        Math.max(deadline - performance.now(), 0),
      );
    });
    await Promise.race([attempt.over, late]).finally(() => clearTimeout(timer.id));
  };

  return {
    holder,
    waitFor,
    begin: (attempt: Attempt): string => {
      const { promise, resolve } = Promise.withResolvers<void>();
      const running: RunningAttempt = { ...attempt, over: promise, end: resolve };
      const id = String(++number);
      attempts.set(id, running);
      for (const turn of attempt.claims.keys()) claimed.set(turn, running);
      return id;
    },
    get: (id: string): Attempt | undefined => attempts.get(id),
    end: (id: string): Attempt | undefined => {
      const attempt = attempts.get(id);
      if (!attempt) return undefined;
      attempts.delete(id);
      for (const turn of attempt.claims.keys()) claimed.delete(turn);
      attempt.end();
      return attempt;
    },
    isClaimed: (id: string): boolean => claimed.has(id),
  };
};
