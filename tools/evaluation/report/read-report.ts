import { readFileSync } from 'node:fs';
import type { Check } from '../../../schemas/ajv.ts';
import { EXIT, failure } from '../../../services/surfaces/client/exit.ts';

/**
 * Reads a report that `npm run evaluate` wrote with `--json`, as far as `check` knows it.
 * @throws a `Failure` that names the file
 */
export const readReport = <T>(file: string, check: Check<T>): T => {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw failure(EXIT.failure, `can't read ${file}: ${(error as NodeJS.ErrnoException).code}`, error);
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw failure(EXIT.failure, `${file} is not JSON`);
  }
  const checked = check(value);
  if (checked.ok) return checked.value;
  throw failure(EXIT.failure, `${file} is no report of npm run evaluate with --json`);
};
