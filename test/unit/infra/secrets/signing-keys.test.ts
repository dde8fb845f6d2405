import { generateKeyPairSync } from 'node:crypto';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { loadSigningKeys, newSigningJwk, parseSigningKeys } from '../../../../infra/secrets/signing-keys.ts';
import { makeTokens } from '../../../../services/use-cases/accounts/tokens/jwt.ts';
import { newSigningKey, signingKey } from '../../../support/worlds/accounts.ts';

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'turnstone-keys-'));
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

const pemOf = (bits: number): string =>
  generateKeyPairSync('rsa', { modulusLength: bits })
    .privateKey.export({ type: 'pkcs8', format: 'pem' })
    .toString();

const privateJwk = (kid?: string): object => ({ ...signingKey().privateKey!.export({ format: 'jwk' }), kid });
const publicJwk = (kid: string): object => ({
  ...newSigningKey(kid).publicKey.export({ format: 'jwk' }),
  kid,
});

describe('signing keys', () => {
  test('have no kid that a command would read as an option', async () => {
    // Only the thumbprint is asked of these: every 64th begins with a hyphen.
    let made = 0;
    const generate = async () => ({ kty: 'RSA', e: 'AQAB', n: `modulus ${made++}` });
    const kids: string[] = [];
    while (kids.length < 300) kids.push((await newSigningJwk(generate)).kid);
    expect(made).toBeGreaterThan(300);
    expect(kids.filter(kid => kid.startsWith('-'))).toEqual([]);
  });

  test('are made once, for the owner alone, and read from then on', async () => {
    const [made] = await loadSigningKeys({ dataDir });
    const path = join(dataDir, 'signing-keys.json');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readdirSync(dataDir)).toEqual(['signing-keys.json']);
    const before = readFileSync(path, 'utf8');
    const [again] = await loadSigningKeys({ dataDir });
    expect(readFileSync(path, 'utf8')).toBe(before);
    expect(again!.kid).toBe(made!.kid);

    const principal = { orgId: 'a', userId: 'b', roles: [], keyId: 'c' };
    const token = await makeTokens(() => [made!]).signAccess(principal, 'id', 0);
    expect((await makeTokens(() => [again!]).verifyAccess(token, 0)).principal).toEqual(principal);
  });

  test('half of a file that a crash left is no key', async () => {
    writeFileSync(join(dataDir, 'signing-keys.json.new'), '{"keys":[');
    chmodSync(join(dataDir, 'signing-keys.json.new'), 0o644);
    await loadSigningKeys({ dataDir });
    expect(readdirSync(dataDir)).toEqual(['signing-keys.json']);
    expect(statSync(join(dataDir, 'signing-keys.json')).mode & 0o777).toBe(0o600);
  });

  test('a file that is named must be there, and nothing is made', async () => {
    await expect(loadSigningKeys({ dataDir, file: join(dataDir, 'none.pem') })).rejects.toThrow('ENOENT');
    expect(readdirSync(dataDir)).toEqual([]);
    const file = join(dataDir, 'key.pem');
    writeFileSync(file, pemOf(2048));
    expect(await loadSigningKeys({ dataDir, file })).toHaveLength(1);
    expect(readdirSync(dataDir)).toEqual(['key.pem']);
  });

  test('come as PEM, a JWK or a JWK set; the first signs, the rest may be public', () => {
    const pem = pemOf(2048);
    const publicPem = newSigningKey('x').publicKey.export({ type: 'spki', format: 'pem' });
    const two = parseSigningKeys(`# the new one\n${pem}\n# the old one\n${publicPem}`);
    expect(two.map(key => key.privateKey !== undefined)).toEqual([true, false]);
    expect(two[0]!.kid).toMatch(/^[\w-]{43}$/);

    expect(parseSigningKeys(JSON.stringify(privateJwk('mine')))[0]!.kid).toBe('mine');
    const set = parseSigningKeys(JSON.stringify({ keys: [privateJwk('new'), publicJwk('old')] }));
    expect(set.map(({ kid }) => kid)).toEqual(['new', 'old']);
    // RFC 7638: the same key has the same thumbprint, whatever it was written as.
    const asPem = signingKey().privateKey!.export({ type: 'pkcs1', format: 'pem' }).toString();
    expect(parseSigningKeys(asPem)[0]!.kid).toBe(parseSigningKeys(JSON.stringify(privateJwk()))[0]!.kid);
  });

  test.each([
    ['nothing', () => ''],
    ['words', () => 'a secret phrase'],
    ['broken JSON', () => '{"keys": ["a secret phrase"'],
    ['JSON of another kind', () => '"a secret phrase"'],
    ['no key', () => '{"keys":[]}'],
    ['a broken PEM', () => '-----BEGIN PRIVATE KEY-----\na secret phrase\n-----END PRIVATE KEY-----'],
    ['a public key in front', () => JSON.stringify({ keys: [publicJwk('a'), privateJwk('b')] })],
    ['one kid twice', () => JSON.stringify({ keys: [privateJwk('a'), publicJwk('a')] })],
    ['a short key', () => pemOf(1024)],
    [
      'an elliptic curve',
      () =>
        generateKeyPairSync('ec', { namedCurve: 'P-256' })
          .privateKey.export({ type: 'pkcs8', format: 'pem' })
          .toString(),
    ],
  ])('%s is refused without a word of it', (_what, content) => {
    let message = '';
    try {
      parseSigningKeys(content());
    } catch (error) {
      message = (error as Error).message;
    }
    expect(message).toMatch(/^signing keys must/);
    expect(message).not.toContain('secret phrase');
  });
});
