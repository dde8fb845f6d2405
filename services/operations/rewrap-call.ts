import type { OperatorCall } from '../core/ports/operator-calls.ts';
import type { KeyStore } from '../core/ports.ts';

/** The operator call `rewrapKeys` with `{ dryRun? }`: wraps the users' keys by the installation's first key. */
export const makeRewrapCall =
  ({ rewrap }: Pick<KeyStore, 'rewrap'>): OperatorCall =>
  ({ dryRun }, signal) =>
    rewrap({ dryRun: dryRun === true }, signal);
