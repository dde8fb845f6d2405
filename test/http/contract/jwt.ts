/** Tokens as the service signs them, and as it never would. */
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';

/** Known to the tests, so that they can sign what the service wouldn't. */
export const pair = generateKeyPairSync('rsa', { modulusLength: 2048 });
export const old = generateKeyPairSync('rsa', { modulusLength: 2048 });
export const other = generateKeyPairSync('rsa', { modulusLength: 2048 });
export const pem = (key: KeyObject): string => key.export({ type: 'pkcs8', format: 'pem' }).toString();

export type Part = Record<string, unknown>;
export const encode = (part: unknown): string =>
  Buffer.from(typeof part === 'string' ? part : JSON.stringify(part)).toString('base64url');
const decode = (part: string | undefined): Part =>
  JSON.parse(Buffer.from(part ?? '', 'base64url').toString()) as Part;
export const headOf = (token: string): Part => decode(token.split('.')[0]);
export const claimsOf = (token: string): Part => decode(token.split('.')[1]);
export const rs256 = (
  head: unknown,
  claims: unknown,
  key: KeyObject = pair.privateKey,
  hash = 'sha256',
): string => {
  const signed = `${encode(head)}.${encode(claims)}`;
  return `${signed}.${sign(hash, Buffer.from(signed), key).toString('base64url')}`;
};

export const now = (): number => Math.floor(Date.now() / 1000);
