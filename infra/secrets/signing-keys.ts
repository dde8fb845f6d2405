import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPair,
  type JsonWebKey,
  type KeyObject,
} from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { SigningKey } from '../../core/ports.ts';
import { createSecret } from './files.ts';

type Jwk = JsonWebKey & { kid?: string };

const BITS = 2_048;
const PEM_BLOCK = /-----BEGIN ([A-Z ]+)-----[\s\S]*?-----END \1-----/g;

/** Returns the thumbprint of RFC 7638: SHA-256 over the required members, sorted by name. */
const thumbprint = ({ e, kty, n }: JsonWebKey): string =>
  createHash('sha256').update(JSON.stringify({ e, kty, n })).digest('base64url');

const keyOf = (privateKey: KeyObject | undefined, publicKey: KeyObject, kid?: string): SigningKey => {
  const bits = publicKey.asymmetricKeyDetails?.modulusLength ?? 0;
  if (publicKey.asymmetricKeyType !== 'rsa' || bits < BITS) {
    throw new Error(`signing keys must be RSA keys of at least ${BITS} bits`);
  }
  return { kid: kid ?? thumbprint(publicKey.export({ format: 'jwk' })), privateKey, publicKey };
};

const fromPem = (label: string, pem: string): SigningKey => {
  if (!label.endsWith('PRIVATE KEY')) return keyOf(undefined, createPublicKey(pem));
  const privateKey = createPrivateKey(pem);
  return keyOf(privateKey, createPublicKey(privateKey));
};

const fromJwk = (jwk: Jwk): SigningKey => {
  const kid = typeof jwk.kid === 'string' && jwk.kid !== '' ? jwk.kid : undefined;
  if (jwk.d === undefined) return keyOf(undefined, createPublicKey({ key: jwk, format: 'jwk' }), kid);
  const privateKey = createPrivateKey({ key: jwk, format: 'jwk' });
  return keyOf(privateKey, createPublicKey(privateKey), kid);
};

const parse = (content: string): SigningKey[] => {
  const pems = [...content.matchAll(PEM_BLOCK)];
  if (pems.length > 0) return pems.map(([pem, label]) => fromPem(label!, pem));
  const parsed = JSON.parse(content) as Jwk | { keys: Jwk[] };
  const jwks = 'keys' in parsed && Array.isArray(parsed.keys) ? parsed.keys : [parsed as Jwk];
  return jwks.map(fromJwk);
};

/**
 * Parses keys in file order: PEM blocks, a JWK, or a JWK set. Throws an `Error` that names the fault but
 * nothing of the file (a parser's own message may quote it).
 */
export const parseSigningKeys = (content: string): SigningKey[] => {
  let keys: SigningKey[];
  try {
    keys = parse(content);
  } catch (error) {
    if (error instanceof Error && error.message.startsWith('signing keys')) throw error;
    throw new Error('signing keys must be PEM blocks, a JWK or a JWK set of RSA keys');
  }
  if (!keys[0]?.privateKey)
    throw new Error('signing keys must begin with a private key: the first one signs');
  if (new Set(keys.map(key => key.kid)).size < keys.length) {
    throw new Error('signing keys must have one kid each');
  }
  return keys;
};

const generatedJwk = async (): Promise<JsonWebKey> => {
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: BITS });
  return privateKey.export({ format: 'jwk' });
};

/** Whether a command would read the kid as an option, as it would `--kid`. */
const readsAsOption = (kid: string): boolean => kid.startsWith('-');

/** Makes a new private key, its thumbprint as its `kid`; `generate`: makes a key's private half as a JWK. */
export const newSigningJwk = async (generate = generatedJwk): Promise<JsonWebKey & { kid: string }> => {
  const jwk = await generate();
  const kid = thumbprint(jwk);
  return readsAsOption(kid) ? newSigningJwk(generate) : { kid, use: 'sig', alg: 'RS256', ...jwk };
};

const create = async (path: string): Promise<void> => {
  const set = { keys: [await newSigningJwk()] };
  createSecret(path, `${JSON.stringify(set, null, 2)}\n`);
};

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT';

interface KeyFileLocation {
  dataDir: string;
  file?: string | undefined;
}

export const signingKeysFile = ({ dataDir, file }: KeyFileLocation): string =>
  file ?? join(dataDir, 'signing-keys.json');

/**
 * Loads the installation's signing keys; the first one signs, the others verify. `file`
 * (TURNSTONE_SIGNING_KEYS) must exist; without it the keys are in `<dataDir>/signing-keys.json`, which is
 * created with one new key if it is missing.
 */
export const loadSigningKeys = async (location: KeyFileLocation): Promise<SigningKey[]> => {
  const path = signingKeysFile(location);
  if (location.file !== undefined) return parseSigningKeys(await readFile(path, 'utf8'));
  const content = await readFile(path, 'utf8').catch(async error => {
    if (!isMissing(error)) throw error;
    await create(path);
    return readFile(path, 'utf8');
  });
  return parseSigningKeys(content);
};
