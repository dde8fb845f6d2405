import type { KeyObject } from 'node:crypto';
import { ServiceError } from '../../core/errors.ts';
import { type InstallationKeys, kidOf } from '../../core/log/keys/installation-keys.ts';
import type { OperatorCall } from '../../core/operator/calls.ts';
import type { KeyStore } from '../../core/ports.ts';

const reread = (installation: InstallationKeys): readonly KeyObject[] => {
  try {
    return installation.reread();
  } catch (cause) {
    const { code = 'it is damaged' } = cause as NodeJS.ErrnoException;
    throw new ServiceError(
      'conflict',
      `The process that wraps the keys can't read the file of the installation keys: ${code}.`,
      { cause },
    );
  }
};

/**
 * Throws `conflict` unless the file was read now and begins with the key that the operator means: with an
 * older copy of the file, rewrapping would find nothing to do, and a key that is still needed would be
 * retired.
 */
const assertFirst = (installation: InstallationKeys, kid: unknown): void => {
  const own = kidOf(reread(installation)[0]!.export());
  if (own !== kid)
    throw new ServiceError(
      'conflict',
      `The process that wraps the keys has ${own} as its first installation key: does it read the same file?`,
    );
};

/** The call `rewrapKeys`. */
export const makeRewrapCall = (
  installation: InstallationKeys,
  { rewrap }: Pick<KeyStore, 'rewrap'>,
): OperatorCall<'rewrapKeys'> =>
  async function* ({ first, dryRun }, signal) {
    assertFirst(installation, first);
    yield* rewrap({ dryRun: dryRun === true }, signal);
  };
