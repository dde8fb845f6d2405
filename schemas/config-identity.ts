/** The variable that names who may vouch for people and programs. */
import { readFileSync } from 'node:fs';
import { optional, readableFile, variable } from './config-values.ts';
import { parseIdentityProviders } from './identity-providers.ts';

/** Returns the providers of a file, whose files of secrets can be read. */
const identityProviders = (path: string) => {
  const providers = parseIdentityProviders(readFileSync(readableFile(path), 'utf8'));
  for (const { id, client_secret_file: file } of providers)
    try {
      if (file !== undefined) readableFile(file);
    } catch {
      throw new RangeError(
        `a file of identity providers without faults (${id}: client_secret_file can not be read)`,
      );
    }
  return providers;
};

export const IDENTITY = {
  /** Undefined: nobody vouches. */
  identityProviders: variable(
    'TURNSTONE_IDENTITY_PROVIDERS',
    '',
    optional(identityProviders),
    'a JSON file of OpenID Connect providers by which people and programs sign in, see [Single sign-on](../operate/keys/single-sign-on.md)',
  ),
};
