import { EXIT, failure, isFailure } from '../../services/surfaces/client/exit.ts';

/** Makes the error of a command without a `--help`. */
export const wrongUsage = (message: string): Error => failure(EXIT.usage, message);

export const usageError = (message: string): Error => wrongUsage(`${message} (--help tells more)`);

/** Runs `parseArgs`, whose refusals are wrong usage. */
export const parsedBy = <T>(parse: () => T): T => {
  try {
    return parse();
  } catch (error) {
    // Its second sentence is about arguments that begin with a dash.
    throw usageError((error as Error).message.split('. ')[0]!);
  }
};

/**
 * Runs a command. An expected failure prints a message and exits with status 2 (wrong usage) or 1; a mistake
 * of ours keeps its stack.
 */
export const runCommand = async (name: string, command: () => Promise<void> | void): Promise<void> => {
  try {
    await command();
  } catch (error) {
    if (!isFailure(error)) throw error;
    console.error(`${name}: ${error.message}`);
    process.exitCode = error.exitStatus === EXIT.usage ? EXIT.usage : EXIT.failure;
  }
};
