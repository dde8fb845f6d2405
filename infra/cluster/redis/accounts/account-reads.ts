import { boundedMap } from '../../../../core/caches/bounded-map.ts';
import type { AccountStore } from '../../../../core/ports/accounts/account-store.ts';
import type {
  AccountDocuments,
  AccountEvent,
  AccountKind,
} from '../../../../projections/accounts/accounts-projection.ts';
import { touchedBy } from '../../../../projections/accounts/lifetimes.ts';
import type { RedisClient } from '../redis-client.ts';
import { type AccountKeys, documentName } from './account-keys.ts';

const MOST_READ = 10_000;
/** How long a document is cached: revocations take effect within a second. */
const READ_MS = 500;
/** Documents per command. */
const PAGE = 1_000;
const ORGANIZATIONS_AT_ONCE = 64;

export interface AccountReads
  extends Pick<AccountStore, 'get' | 'list' | 'liveKeys' | 'countOrganizations' | 'unusedSince' | 'erasing'> {
  /** Drops the documents that the event may have changed from the cache. */
  forget(event: AccountEvent): void;
}

/** Returns reads for single documents, through a short-lived cache, and for lists, always from Redis. */
export const makeAccountReads = (redis: RedisClient, keys: AccountKeys): AccountReads => {
  /** By document: its organization, which never changes. */
  const owners = boundedMap<string>(MOST_READ);
  /** Documents found or being read. A missing document is not cached, so a new key works at once. */
  const cached = boundedMap<{ document: Promise<unknown>; at: number }>(MOST_READ);

  const read = async (kind: AccountKind, id: string, name: string): Promise<unknown> => {
    const org = kind === 'organization' ? id : (owners.get(name) ?? (await redis.get(keys.orgOf(kind, id))));
    if (org === null) return undefined;
    const text = await redis.get(keys.document(org, kind, id));
    if (text === null) return undefined;
    owners.set(name, org);
    return JSON.parse(text);
  };

  const get = (kind: AccountKind, id: string): Promise<unknown> => {
    const name = documentName({ kind, id });
    const known = cached.get(name);
    if (known && performance.now() - known.at < READ_MS) return known.document;
    // The age counts from before the read.
    const entry = { document: read(kind, id, name), at: performance.now() };
    cached.set(name, entry);
    const forget = (): void => {
      if (cached.get(name) === entry) cached.delete(name);
    };
    entry.document.then(document => document ?? forget(), forget);
    return entry.document;
  };

  return {
    get: get as <Kind extends AccountKind>(
      kind: Kind,
      id: string,
    ) => Promise<AccountDocuments[Kind] | undefined>,
    list: (async (kind: AccountKind, org?: string) =>
      org === undefined
        ? listAll(redis, keys, kind)
        : listOf(redis, keys, kind, org)) as AccountReads['list'],
    liveKeys: async org => {
      const all = (await listOf(redis, keys, 'api_key', org)) as AccountDocuments['api_key'][];
      return all.filter(key => key.revoked_at === null);
    },
    countOrganizations: () => redis.scard(keys.organizations),
    unusedSince: (instant, most) => unusedSince(redis, keys, instant, most),
    erasing: async () => {
      const orgs = await redis.smembers(keys.removed);
      const found: AccountDocuments['organization'][] = [];
      // Sign-ups that never wrote are among them: many, after a flood.
      for (let at = 0; at < orgs.length; at += ORGANIZATIONS_AT_ONCE) {
        const some = await organizationsOf(redis, keys, orgs.slice(at, at + ORGANIZATIONS_AT_ONCE));
        found.push(...some.filter(({ erasing }) => erasing !== undefined));
      }
      return found;
    },
    forget: event => {
      for (const document of touchedBy(event)) cached.delete(documentName(document));
    },
  };
};

const listOf = async (
  redis: RedisClient,
  keys: AccountKeys,
  kind: AccountKind,
  org: string,
): Promise<unknown[]> => {
  const ids = await redis.zrange(keys.ids(org, kind), '-inf', '+inf', 'BYSCORE');
  const found: unknown[] = [];
  for (let at = 0; at < ids.length; at += PAGE) {
    const page = ids.slice(at, at + PAGE).map(id => keys.document(org, kind, id));
    for (const text of await redis.mget(page)) if (text !== null) found.push(JSON.parse(text));
  }
  return found;
};

const organizationsOf = async (
  redis: RedisClient,
  keys: AccountKeys,
  orgs: readonly string[],
): Promise<AccountDocuments['organization'][]> => {
  // Each organization has a slot of its own.
  const texts = await Promise.all(orgs.map(org => redis.get(keys.document(org, 'organization', org))));
  return texts.flatMap(text => (text === null ? [] : [JSON.parse(text)]));
};

const unusedSince: (
  redis: RedisClient,
  keys: AccountKeys,
  ...of: Parameters<AccountStore['unusedSince']>
) => ReturnType<AccountStore['unusedSince']> = async (redis, keys, instant, most) => {
  const orgs = await redis.smembers(keys.organizations);
  const found: AccountDocuments['organization'][] = [];
  for (let at = 0; at < orgs.length && found.length < most; at += ORGANIZATIONS_AT_ONCE) {
    const some = await organizationsOf(redis, keys, orgs.slice(at, at + ORGANIZATIONS_AT_ONCE));
    found.push(...some.filter(({ unused, created_at }) => unused && created_at <= instant));
  }
  for (const org of await redis.smembers(keys.removed))
    if ((await redis.exists(keys.document(org, 'organization', org))) === 0)
      await redis.srem(keys.removed, org);
  return found.slice(0, most);
};

const listAll = async (redis: RedisClient, keys: AccountKeys, kind: AccountKind): Promise<unknown[]> => {
  // Removed ones are listed until their documents end, as revoked keys are. Few have webhooks, which are
  // looked for every few seconds.
  const orgs =
    kind === 'webhook'
      ? await redis.smembers(keys.withWebhooks)
      : [...(await redis.smembers(keys.organizations)), ...(await redis.smembers(keys.removed))];
  const found: unknown[][] = [];
  for (let at = 0; at < orgs.length; at += ORGANIZATIONS_AT_ONCE) {
    const some = orgs.slice(at, at + ORGANIZATIONS_AT_ONCE);
    found.push(...(await Promise.all(some.map(org => listOf(redis, keys, kind, org)))));
  }
  return found.flat();
};
