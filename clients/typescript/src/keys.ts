import { listOf } from './answer.ts';
import type { Caller } from './caller.ts';
import type { CallOptions, CreateKeyOptions } from './options.ts';
import { member } from './query.ts';
import { optionsOf } from './requests.ts';
import type { ApiKey, NewApiKey } from './types.ts';

/** The organization's API keys; needs the role `keys:manage`. */
export interface Keys {
  list(options?: CallOptions): Promise<ApiKey[]>;
  /** `api_key` contains the secret, only this once. Not retried, because a failed attempt may have created a key. */
  create(options: CreateKeyOptions): Promise<NewApiKey>;
  revoke(id: string, options?: CallOptions): Promise<void>;
}

const PATH = '/me/api-keys';

export const makeKeys = ({ call }: Caller): Keys => ({
  list: async options => listOf(await call({ method: 'GET', path: PATH }, options), 'api_keys') as ApiKey[],
  create: async key => {
    const { name, roles, user, session, strict, ...options } = optionsOf(key);
    const body = { name, roles, user_id: user, session_id: session, strict };
    return (await call({ method: 'POST', path: PATH, body, isRepeatable: false }, options)) as NewApiKey;
  },
  revoke: async (id, options) => {
    const path = `${PATH}/${member(id)}`;
    await call({ method: 'DELETE', path, isDoneWhenGone: true }, options);
  },
});
