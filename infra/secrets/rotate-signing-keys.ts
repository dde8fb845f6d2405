/** The steps of a rotation, on the file of the signing keys: publish, then sign, then retire. */
import type { JsonWebKey } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { ServiceError } from '../../core/errors.ts';
import type { SigningKey } from '../../core/ports.ts';
import { REFRESH_SECONDS } from '../../projections/accounts/lifetimes.ts';
import { writeSecret } from './files.ts';
import { newSigningJwk, parseSigningKeys } from './signing-keys.ts';

/**
 * Longer than a verifier may cache the published keys (`max-age` of the JWK set), and than any process needs
 * to follow.
 */
const PUBLISHED_MS = 10 * 60_000;
/** The longest life of a token, plus an hour. */
const SIGNED_MS = REFRESH_SECONDS * 1_000 + 3_600_000;

/** A key as the file holds it, with two members of our own, as RFC 7517 allows. */
type StoredJwk = JsonWebKey & {
  kid: string;
  /** Time of adding, and end of signing; RFC 3339. */
  added_at?: string;
  signed_until?: string;
};

export interface ListedSigningKey {
  kid: string;
  state: 'signs' | 'published' | 'verifies';
  added_at: string | null;
  signed_until: string | null;
}

export interface RotatingKeys {
  /** Lists the keys in the file's order: the first one signs. */
  list(): Promise<ListedSigningKey[]>;
  /** Adds a new key after the others: it is published and verifies. Returns its kid. */
  add(): Promise<string>;
  /** Makes this key the one that signs. `force`: even if verifiers may not have it yet. */
  use(kid: string, force: boolean): Promise<void>;
  /** Removes a key. `force`: even if tokens that it signed may live. Returns its public half. */
  retire(kid: string, force: boolean): Promise<JsonWebKey>;
}

const invalid = (message: string): ServiceError => new ServiceError('invalid', message);

const jwkOf = ({ kid, privateKey, publicKey }: SigningKey): StoredJwk => ({
  kid,
  use: 'sig',
  alg: 'RS256',
  ...(privateKey ?? publicKey).export({ format: 'jwk' }),
});

/** Returns our own members of each key, if the file is a JWK set. */
const membersIn = (content: string): Map<string, Pick<StoredJwk, 'added_at' | 'signed_until'>> => {
  try {
    const { keys = [] } = JSON.parse(content) as { keys?: StoredJwk[] };
    return new Map(
      keys.map(({ kid, added_at, signed_until }) => [
        kid,
        { ...(added_at && { added_at }), ...(signed_until && { signed_until }) },
      ]),
    );
  } catch {
    return new Map();
  }
};

/**
 * Opens the file for rotation. A file of PEM blocks becomes a JWK set when it is changed; the kids stay.
 * `clock`: Unix milliseconds.
 */
export const rotatingKeys = (file: string, clock: () => number): RotatingKeys => {
  const read = async (): Promise<StoredJwk[]> => {
    const content = await readFile(file, 'utf8');
    const members = membersIn(content);
    return parseSigningKeys(content).map(key => ({ ...jwkOf(key), ...members.get(key.kid) }));
  };
  const write = (keys: readonly StoredJwk[]): void =>
    writeSecret(file, `${JSON.stringify({ keys }, null, 2)}\n`);
  const found = (keys: readonly StoredJwk[], kid: string): StoredJwk => {
    const key = keys.find(one => one.kid === kid);
    if (!key) throw invalid(`There is no signing key ${kid}.`);
    return key;
  };
  const now = (): string => new Date(clock()).toISOString();
  const waitFor = (until: number, what: string): void => {
    if (until > clock())
      throw invalid(`${what} until ${new Date(until).toISOString()}; --force does it all the same.`);
  };

  return {
    list: async () =>
      (await read()).map(({ kid, d, added_at = null, signed_until = null }, index) => {
        const waits = d !== undefined && signed_until === null && added_at !== null;
        return {
          kid,
          state: index === 0 ? 'signs' : waits ? 'published' : 'verifies',
          added_at,
          signed_until,
        };
      }),
    add: async () => {
      const keys = await read();
      const jwk = await newSigningJwk();
      write([...keys, { ...jwk, added_at: now() }]);
      return jwk.kid;
    },
    use: async (kid, force) => {
      const keys = await read();
      const key = found(keys, kid);
      if (key === keys[0]) return;
      if (key.d === undefined) throw invalid(`The signing key ${kid} has no private half.`);
      if (!force && key.added_at !== undefined)
        waitFor(Date.parse(key.added_at) + PUBLISHED_MS, 'Verifiers may not have the key');
      const [last, ...others] = keys.filter(one => one !== key);
      const { signed_until: _, ...fresh } = key;
      write([fresh as StoredJwk, { ...last!, signed_until: now() }, ...others]);
    },
    retire: async (kid, force) => {
      const keys = await read();
      const key = found(keys, kid);
      if (key === keys[0]) throw invalid(`The signing key ${kid} signs; use another one first.`);
      if (!force) {
        if (key.signed_until !== undefined)
          waitFor(Date.parse(key.signed_until) + SIGNED_MS, 'Tokens that the key signed may live');
        else if (key.added_at === undefined)
          throw invalid(`It is not known when the key ${kid} last signed; --force removes it.`);
      }
      write(keys.filter(one => one !== key));
      const { kty, n, e } = key;
      return { kty, kid, use: 'sig', alg: 'RS256', n, e } as JsonWebKey;
    },
  };
};
