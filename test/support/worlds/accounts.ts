import { createHash, generateKeyPairSync } from 'node:crypto';
import type { SigningKey, SigningKeys } from '../../../core/ports.ts';
import { type Accounts, makeAccounts } from '../../../services/use-cases/accounts/accounts.ts';
import type { AccountsOptions } from '../../../services/use-cases/accounts/accounts-options.ts';
import { type MemoryAccountStore, memoryAccountStore } from '../engines/memory-account-store.ts';

/** Making an RSA key takes longer than most tests: those that only need one share it. */
let shared: SigningKey | undefined;

export const newSigningKey = (kid: string): SigningKey => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return { kid, privateKey, publicKey };
};

/** Keys that nobody rotates. */
export const always =
  (keys: readonly SigningKey[]): SigningKeys =>
  () =>
    keys;

export const signingKey = (): SigningKey => {
  shared ??= newSigningKey('test-1');
  return shared;
};

/** Bytes that look random and are the same in every run. */
export const seededRandom = (seed: string) => {
  let count = 0;
  return (bytes: number): Uint8Array =>
    createHash('sha512').update(`${seed}/${count++}`).digest().subarray(0, bytes);
};

export const context = { correlationId: '00000000-0000-4000-8000-000000000001' };

export interface TestAccounts {
  accounts: Accounts;
  store: MemoryAccountStore;
  /** Moves the clock on. */
  pass(ms: number): void;
  now(): number;
  /** Another instance over the same store and clock. */
  another(changes?: Partial<AccountsOptions>): Accounts;
}

/** Accounts over memory, with a clock that stands still until it is moved, from the middle of a minute. */
export const testAccounts = (config: Partial<AccountsOptions['config']> = {}): TestAccounts => {
  const store = memoryAccountStore();
  let now = Date.parse('2026-03-10T12:00:30.250Z');
  let instances = 0;
  const another = (changes: Partial<AccountsOptions> = {}): Accounts =>
    makeAccounts({
      store,
      signingKeys: always([signingKey()]),
      clock: () => now,
      random: seededRandom(`instance ${instances++}`),
      ends: async () => ({}),
      config: {
        signup: 'open',
        authFailuresPerMinute: 30,
        limits: { tokens_in: 1_000_000, tokens_out: 5_000_000 },
        ...config,
      },
      ...changes,
    });
  return {
    accounts: another(),
    store,
    pass: ms => {
      now += ms;
    },
    now: () => now,
    another,
  };
};

/** Returns the claims of a token, unverified. */
export const claimsOf = (token: string): Record<string, unknown> =>
  JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString());
