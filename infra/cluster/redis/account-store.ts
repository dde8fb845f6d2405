import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { touchedBy } from '../../../projections/accounts/lifetimes.ts';
import type {
  AccountDocuments,
  AccountEvent,
  AccountKind,
} from '../../../projections/accounts/projection.ts';
import { boundedMap } from '../../../services/core/bounded-map.ts';
import { ServiceError, unavailable } from '../../../services/core/errors.ts';
import type { AccountStore } from '../../../services/core/ports/account-store.ts';
import type { EventLog } from '../../../services/core/ports.ts';
import { accountKeys } from './account-keys.ts';
import { makeApplyAccounts } from './account-writes.ts';
import type { RedisClient } from './client.ts';

const MOST_READ = 10_000;
/** How long a document is cached: revocations take effect within a second. */
const READ_MS = 500;
/** How long a recorded event may take to be projected. */
const WAIT_MS = 5_000;
const FIRST_STEP_MS = 5;
const LONGEST_STEP_MS = 20;
/** Documents read in one command. */
const PAGE = 1_000;
const ORGANIZATIONS_AT_ONCE = 64;

export interface RedisAccountStoreOptions {
  redis: RedisClient;
  namespace: string;
  log: Pick<EventLog, 'append'>;
  encode: (event: AccountEvent) => Uint8Array;
  /** Unix milliseconds; decides expiries. */
  clock?: () => number;
}

export interface RedisAccountStore extends AccountStore {
  /**
   * The projector's fold of the log's events, in order in each organization. To be called with decoded records: `record`
   * recognises its own event by the record's header `attempt`. Idempotent, also concurrently.
   */
  apply(events: readonly AccountEvent[]): Promise<void>;
}

/**
 * Accounts in Redis, where only `apply` writes. A decision is appended and awaited until the projector has folded an
 * event of its id: the marker that the fold writes names the attempt whose event was first.
 */
export const openRedisAccountStore = ({
  redis,
  namespace,
  log,
  encode,
  clock = Date.now,
}: RedisAccountStoreOptions): RedisAccountStore => {
  const keys = accountKeys(namespace);
  const applyAccounts = makeApplyAccounts(redis, keys, clock);
  /** The organizations of documents, which never change. */
  const owners = boundedMap<string>(MOST_READ);
  /** Documents found or being read. A missing one is not cached: a new key works at once. */
  const read = boundedMap<{ document: Promise<unknown>; at: number }>(MOST_READ);

  const readNow = async (kind: AccountKind, id: string, name: string): Promise<unknown> => {
    const org = kind === 'organization' ? id : (owners.get(name) ?? (await redis.get(keys.orgOf(kind, id))));
    if (org === null) return undefined;
    const text = await redis.get(keys.document(org, kind, id));
    if (text === null) return undefined;
    owners.set(name, org);
    return JSON.parse(text);
  };

  const get = (kind: AccountKind, id: string): Promise<unknown> => {
    const name = `${kind}/${id}`;
    const known = read.get(name);
    if (known && performance.now() - known.at < READ_MS) return known.document;
    // Its age counts from before the read.
    const entry = { document: readNow(kind, id, name), at: performance.now() };
    read.set(name, entry);
    const forget = (): void => {
      if (read.get(name) === entry) read.delete(name);
    };
    entry.document.then(document => document ?? forget(), forget);
    return entry.document;
  };

  const forget = (event: AccountEvent): void => {
    for (const { kind, id } of touchedBy(event)) read.delete(`${kind}/${id}`);
  };

  const listOf = async (kind: AccountKind, org: string): Promise<unknown[]> => {
    const ids = await redis.zrange(keys.ids(org, kind), '0', '-1');
    const found: unknown[] = [];
    for (let at = 0; at < ids.length; at += PAGE) {
      const page = ids.slice(at, at + PAGE).map(id => keys.document(org, kind, id));
      for (const text of await redis.mget(page)) if (text !== null) found.push(JSON.parse(text));
    }
    return found;
  };

  const list = async (kind: AccountKind, org?: string): Promise<unknown[]> => {
    if (org !== undefined) return listOf(kind, org);
    const orgs = await redis.smembers(keys.organizations);
    const found: unknown[][] = [];
    for (let at = 0; at < orgs.length; at += ORGANIZATIONS_AT_ONCE) {
      const some = orgs.slice(at, at + ORGANIZATIONS_AT_ONCE);
      found.push(...(await Promise.all(some.map(each => listOf(kind, each)))));
    }
    return found.flat();
  };

  /** The attempt whose event was projected first. Retries when Redis fails, since the event may be in the log. */
  const projected = async (marker: string): Promise<string> => {
    const deadline = performance.now() + WAIT_MS;
    for (let step = FIRST_STEP_MS; ; step = Math.min(step * 1.5, LONGEST_STEP_MS)) {
      let fault: unknown;
      try {
        const winner = await redis.get(marker);
        if (winner !== null) return winner;
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error;
        fault = error;
      }
      if (performance.now() >= deadline) {
        throw unavailable('The change is not in force yet; it may be in a moment.', fault);
      }
      await pause(step);
    }
  };

  return {
    get: get as <Kind extends AccountKind>(
      kind: Kind,
      id: string,
    ) => Promise<AccountDocuments[Kind] | undefined>,
    list: list as <Kind extends AccountKind>(kind: Kind, org?: string) => Promise<AccountDocuments[Kind][]>,
    record: async event => {
      const marker = keys.event(event.org_id, event.id);
      let isMine = false;
      if ((await redis.get(marker)) === null) {
        const attempt = randomUUID();
        await log.append([
          { topic: 'accounts', key: event.org_id, value: encode(event), headers: { attempt } },
        ]);
        isMine = (await projected(marker)) === attempt;
      }
      forget(event);
      return isMine ? 'recorded' : 'conflict';
    },
    apply: async events => {
      await applyAccounts(events);
      for (const event of events) forget(event);
    },
  };
};
