import { readFileSync } from 'node:fs';

/** The package's version. The build puts a package.json beside its output, so the path is the same there. */
export const version = (): string =>
  (
    JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as {
      version: string;
    }
  ).version;
