import { ROW_KINDS, type VerifiedProjection } from '../../../projections/verify/row.ts';
import { ServiceError } from '../../core/errors.ts';
import type { OperatorCall } from '../../core/ports/operator-calls.ts';
import type { VerifyMessage } from '../operator/verification.ts';
import type { VerifyOptions } from './verify.ts';

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) > 0;

/** What an operator asked for. Throws `invalid` for what nobody can ask for. */
const verifyOptions = (args: Record<string, unknown>): VerifyOptions => {
  const { projection = 'all', org, most, whole } = args;
  if (projection !== 'all' && !Object.hasOwn(ROW_KINDS, String(projection)))
    throw new ServiceError('invalid', 'The projections are recall, usage, accounts and all.');
  if (org !== undefined && typeof org !== 'string')
    throw new ServiceError('invalid', 'An organization is named by its id.');
  if (most !== undefined && !isCount(most))
    throw new ServiceError('invalid', 'A sample is a number of rows, 1 or more.');
  return {
    projections: projection === 'all' ? undefined : [projection as VerifiedProjection],
    org,
    most,
    whole: whole === true,
  };
};

/** The operator call `verify` with `{ projection?, org?, most?, whole? }`: says what `Verify` says of what serves. */
export const makeVerifyCall =
  (verify: (options: VerifyOptions, signal: AbortSignal) => AsyncIterable<VerifyMessage>): OperatorCall =>
  (args, signal) =>
    verify(verifyOptions(args), signal);
