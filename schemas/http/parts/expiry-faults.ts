import type { Fault } from './faults.ts';

/** There is one moment from which what was written is gone. */
export const expiryFaults = (value: unknown): Fault[] => {
  const { options } = (value ?? {}) as { options?: Record<string, unknown> | null };
  if (options?.expires_at === undefined || options.ttl_days === undefined) return [];
  const message = 'must not be given together with expires_at';
  return [{ form: false, loc: ['body', 'options', 'ttl_days'], type: 'not', message }];
};
