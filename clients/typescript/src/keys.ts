import { createApiKey, listApiKeys, revokeApiKey, rotateApiKey } from './operations.ts';
import type { CallOptions, CreateKeyOptions, RotateKeyOptions } from './options.ts';
import { listOf } from './transport/answer.ts';
import type { Caller } from './transport/caller.ts';
import { maybeInstant, optionsOf } from './transport/requests.ts';
import type { ApiKey, NewApiKey } from './types.ts';

/** API keys: the organization's with `*`, else those of the own user; needs the role `keys:manage`. */
export interface Keys {
  list(options?: CallOptions): Promise<ApiKey[]>;
  /**
   * `api_key` contains the secret, only this once. Not retried, because a failed attempt may have created a
   * key.
   */
  create(options: CreateKeyOptions): Promise<NewApiKey>;
  /**
   * Makes a key with the same rights; the former still works for `graceSeconds`, by default a day. `api_key`
   * has the secret, only this once. Not retried, because a failed attempt may have made it.
   */
  rotate(id: string, options?: RotateKeyOptions): Promise<NewApiKey>;
  revoke(id: string, options?: CallOptions): Promise<void>;
}

export const makeKeys = ({ call }: Caller): Keys => ({
  list: async options => listOf(await call(listApiKeys(), options), 'api_keys'),
  create: async key => {
    const { name, roles, user, session, expiresAt, addresses, strict, ...options } = optionsOf(key);
    const expires_at = maybeInstant(expiresAt);
    const body = { name, roles, user_id: user, session_id: session, expires_at, addresses, strict };
    return call(createApiKey(body), options);
  },
  rotate: async (id, options = {}) => {
    const { graceSeconds, ...rest } = optionsOf(options);
    return call(rotateApiKey(id, { grace_seconds: graceSeconds }), rest);
  },
  revoke: async (id, options) => call(revokeApiKey(id), options),
});
