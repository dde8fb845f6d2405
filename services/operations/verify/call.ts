import { ServiceError } from '../../../core/errors.ts';
import type { OperatorCall } from '../../../core/operator/calls.ts';
import type { VerifyMessage } from '../../../core/operator/verification.ts';
import { PROJECTION_NAMES } from '../../../projections/all.ts';
import type { VerifyOptions } from './verify.ts';

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) > 0;

/** Reads an operator's arguments. Throws `invalid` when they are not valid. */
const verifyOptions = (args: Record<string, unknown>): VerifyOptions => {
  const { projection = 'all', org, most, whole } = args;
  const projections = projection === 'all' ? undefined : PROJECTION_NAMES.filter(name => name === projection);
  if (projections?.length === 0)
    throw new ServiceError('invalid', `The projections are ${PROJECTION_NAMES.join(', ')} and all.`);
  if (org !== undefined && typeof org !== 'string')
    throw new ServiceError('invalid', 'An organization is named by its id.');
  if (most !== undefined && !isCount(most))
    throw new ServiceError('invalid', 'A sample is a number of rows, 1 or more.');
  return {
    projections,
    org,
    most,
    whole: whole === true,
  };
};

/** The call `verify`: runs `Verify` on what serves. */
export const makeVerifyCall =
  (
    verify: (options: VerifyOptions, signal: AbortSignal) => AsyncIterable<VerifyMessage>,
  ): OperatorCall<'verify'> =>
  (args, signal) =>
    verify(verifyOptions(args), signal);
