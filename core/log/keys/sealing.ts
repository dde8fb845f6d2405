import { createCipheriv, createDecipheriv, type KeyObject, randomFillSync } from 'node:crypto';

/**
 * AES-256-GCM: nonce (12) + ciphertext + tag (16) (NIST SP 800-38D). The associated data binds a sealed text
 * to its event, so that it can't be moved to another one. Keys are key objects: given raw bytes, Node
 * prepares the key for every call, which costs four times the cipher.
 */
const NONCE = 12;
const TAG = 16;

// Random nonces are drawn in blocks: one call to the operating system for many events.
const pool = Buffer.allocUnsafe(NONCE * 1024);
let used = pool.length;
const nextNonce = (): Buffer => {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += NONCE;
  return pool.subarray(used - NONCE, used);
};

const bytesOf = (text: string | Uint8Array): Uint8Array =>
  typeof text === 'string' ? Buffer.from(text) : text;

export const seal = (key: KeyObject, plain: Uint8Array | string, associated: string | Uint8Array): Buffer => {
  const nonce = nextNonce();
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  cipher.setAAD(bytesOf(associated));
  const body = typeof plain === 'string' ? cipher.update(plain, 'utf8') : cipher.update(plain);
  cipher.final();
  const sealed = Buffer.allocUnsafe(NONCE + body.length + TAG);
  nonce.copy(sealed, 0);
  body.copy(sealed, NONCE);
  cipher.getAuthTag().copy(sealed, NONCE + body.length);
  return sealed;
};

/** Decrypts a sealed text. Throws when it was sealed under another key or was modified. */
export const open = (key: KeyObject, sealed: Uint8Array, associated: string | Uint8Array): Buffer => {
  if (sealed.length < NONCE + TAG) throw new Error('sealed text is too short');
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, NONCE), { authTagLength: TAG });
  decipher.setAAD(bytesOf(associated));
  decipher.setAuthTag(sealed.subarray(sealed.length - TAG));
  const body = decipher.update(sealed.subarray(NONCE, sealed.length - TAG));
  decipher.final();
  return body;
};
