import { ServiceError } from '../../../../core/errors.ts';
import { EXIT, failure } from '../../client/exit.ts';

/**
 * Runs one step on a file of keys, named as in "the file of the signing keys": its faults are failures of the
 * command.
 */
export const onKeyFile = async <T>(name: string, step: () => Promise<T>): Promise<T> => {
  try {
    return await step();
  } catch (error) {
    if (error instanceof ServiceError) throw failure(EXIT.failure, error.message, error);
    const { code, path } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    throw failure(EXIT.failure, `${path ?? name} can't be changed or read: ${code}`, error);
  }
};
