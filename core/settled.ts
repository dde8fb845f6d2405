import { ServiceError } from './errors.ts';

/**
 * Throws `invalid` for an instant before which turns may still appear, since the answer would not be final.
 *
 * @param passed Unix milliseconds: the projections hold everything that was recorded by then
 */
export const assertSettled = (asOf: number, passed: number, loc: readonly string[]): void => {
  if (asOf <= passed) return;
  const message = `must not be after ${new Date(passed).toISOString()}: what was recorded later may not be indexed yet`;
  throw new ServiceError('invalid', 'The request breaks a rule.', {
    details: { errors: [{ loc: [...loc], type: 'not_passed', message }] },
  });
};
