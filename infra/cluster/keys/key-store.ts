import { createSecretKey, type KeyObject } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { boundedMap } from '../../../services/core/bounded-map.ts';
import { unavailable } from '../../../services/core/errors.ts';
import {
  identityOf,
  makeWrappedKey,
  ownerOf,
  PARTITION,
  sessionOf,
  unwrapKey,
} from '../../../services/core/log/key-wrapping.ts';
import type { KeyStore, SessionKey, SharedLog } from '../../../services/core/ports.ts';
import type { RedisClient } from '../redis/client.ts';
import { type HeldKey, openKeyCopy, type View } from './copy.ts';
import { keyRecord, type LoggedKey, tombstone } from './record.ts';
import { restoreKeys } from './restore.ts';
import { makeKeyTrust, TRUSTED_MS } from './trust.ts';

const CACHED = 20_000;
/** The maker of a proposal this old is considered dead: its append is repeated unchanged. */
const OVERDUE_MS = 2_000;
const WAIT_MS = 5_000;
const POLL_MS = 10;
/** Tombstones of one append. */
const PAGE = 1_000;

export interface LogKeyStoreOptions {
  redis: RedisClient;
  namespace: string;
  log: Pick<SharedLog, 'append' | 'read' | 'ends'>;
  /** 32 bytes. */
  installationKey: Uint8Array;
}

export interface LogKeyStore extends KeyStore {
  /** Rebuilds the copy in Redis, whose keys were dropped, from the whole topic. Until then every call is `unavailable`. */
  restore(): Promise<void>;
}

/**
 * Sealing keys: the compacted topic `keys` is authoritative, Redis has a complete copy, each process caches the keys it
 * uses. A new key is proposed in Redis (the first proposal for a scope wins), appended to the log, then marked durable in
 * Redis, and used only after all three: no key is ever used that the log doesn't hold, and never two for one scope.
 * A proposal whose maker died is appended by the next process that needs the key.
 */
export const openLogKeyStore = ({
  redis,
  namespace,
  log,
  installationKey: installationBytes,
}: LogKeyStoreOptions): LogKeyStore => {
  const installationKey = createSecretKey(installationBytes);
  const copy = openKeyCopy(redis, namespace);
  const sessions = boundedMap<SessionKey>(CACHED);
  /** Partitions' keys, which wrap those of their sessions, by key id. */
  const partitions = boundedMap<KeyObject>(CACHED);
  /** Owners that have a partition's key: no request has to make it first. */
  const owners = boundedMap<true>(CACHED);
  const opened = boundedMap<KeyObject>(CACHED);
  const making = new Map<string, Promise<SessionKey>>();
  const firstOfOwner = new Map<string, Promise<unknown>>();
  const appending = new Map<string, Promise<unknown>>();

  const { isTrusted, trust, trustAnew, copyId, generation, assertWholeSince } = makeKeyTrust(copy, () => {
    for (const held of [sessions, partitions, owners, opened, making]) held.clear();
  });

  const append = async (keys: readonly LoggedKey[]): Promise<void> => {
    const mine = keys.filter(({ keyId }) => !appending.has(keyId));
    if (mine.length > 0) {
      const appended = Promise.all([log.append(mine.map(keyRecord)), ...mine.map(copy.point)]);
      for (const { keyId } of mine) appending.set(keyId, appended);
      const done = (): void => {
        for (const { keyId } of mine) appending.delete(keyId);
      };
      appended.then(done, done);
    }
    await Promise.all(keys.map(({ keyId }) => appending.get(keyId)));
  };

  /** Tombstones first: after a crash between the two steps, Redis still lists the keys to destroy. */
  const destroyIds = async (owner: string, ids: readonly string[]): Promise<void> => {
    for (let at = 0; at < ids.length; at += PAGE) {
      const page = ids.slice(at, at + PAGE);
      await log.append(page.map(id => tombstone(owner, id)));
      await copy.forget(owner, page);
    }
  };

  const partitionOf = (key: LoggedKey, since: number): KeyObject => {
    const known = partitions.get(key.keyId);
    if (known) return known;
    const made = unwrapKey(installationKey, key);
    return since === generation() ? partitions.set(key.keyId, made) : made;
  };

  /** New keys for what the scope lacks. */
  const proposalsFor = (view: View, owner: string, session: string, since: number): LoggedKey[] => {
    if (view.partition) {
      const { key } = view.partition;
      return [{ ...makeWrappedKey(partitionOf(key, since), owner, session), under: key.keyId }];
    }
    const partition = { ...makeWrappedKey(installationKey, owner, PARTITION), under: '' };
    const wrapping = unwrapKey(installationKey, partition);
    return [partition, { ...makeWrappedKey(wrapping, owner, session), under: partition.keyId }];
  };

  const sessionKey = (view: View, since: number): SessionKey => {
    const { key } = view.session!;
    const partition = partitionOf(view.partition!.key, since);
    const wrapping = view.wrapping ? partitionOf(view.wrapping.key, since) : partition;
    const { keyId } = key;
    return { keyId, sealing: unwrapKey(wrapping, key), identity: identityOf(partition, keyId) };
  };

  /** Reads the scope's keys from Redis; makes them, or waits for them, where they are missing or not durable. */
  const readOrMake = async (owner: string, session: string): Promise<SessionKey> => {
    const since = generation();
    const id = copyId();
    const deadline = performance.now() + WAIT_MS;
    let proposals: LoggedKey[] = [];
    let durable: string[] = [];
    for (;;) {
      const view = await copy.settle(owner, session, proposals, durable);
      // Our append may have followed the tombstone.
      await destroyIds(owner, view.destroyed);
      const proposed = new Set(proposals.map(({ keyId }) => keyId));
      const held = [view.partition, view.wrapping, view.session].filter(each => each !== undefined);
      const isPending = ({ proposedFor }: HeldKey): boolean => proposedFor !== undefined;
      const toAppend = held.filter(
        each => proposed.has(each.key.keyId) || (each.proposedFor ?? 0) > OVERDUE_MS,
      );
      [proposals, durable] = [[], []];
      if (toAppend.length > 0) {
        const keys = toAppend.map(({ key }) => key);
        await append(keys);
        await assertWholeSince(id);
        durable = keys.map(({ keyId }) => keyId);
        continue;
      }
      if (!view.partition || !view.session) {
        proposals = proposalsFor(view, owner, session, since);
      } else if (held.some(isPending)) {
        await pause(POLL_MS);
      } else {
        return sessionKey(view, since);
      }
      // Proposals stay in Redis: the next call continues with them.
      if (performance.now() > deadline) throw unavailable('A sealing key is still being made.');
    }
  };

  const make = async (owner: string, session: string, name: string): Promise<SessionKey> => {
    const since = generation();
    const made = await readOrMake(owner, session);
    if (since !== generation()) return made;
    owners.set(owner, true);
    return sessions.set(name, made);
  };

  /** An owner's first request makes the partition's key; others of this process wait instead of proposing their own. */
  const makeInTurn = async (owner: string, session: string, name: string): Promise<SessionKey> => {
    const first = owners.get(owner) ? undefined : firstOfOwner.get(owner);
    if (first) await first;
    const made = make(owner, session, name);
    if (first || owners.get(owner)) return made;
    const done = (): void => {
      firstOfOwner.delete(owner);
    };
    firstOfOwner.set(owner, made.then(done, done));
    return made;
  };

  return {
    forSession: async (org, user, session) => {
      const owner = ownerOf(org, user);
      const scope = sessionOf(session);
      const name = `${owner}\n${scope}`;
      if (!isTrusted()) await trust();
      const known = sessions.get(name);
      if (known) return known;
      const shared = making.get(name);
      if (shared) return shared;
      const made = makeInTurn(owner, scope, name);
      const done = (): void => {
        if (making.get(name) === made) making.delete(name);
      };
      making.set(name, made);
      made.then(done, done);
      return made;
    },
    byId: async keyId => {
      if (!isTrusted()) await trust();
      const known = opened.get(keyId);
      if (known) return known;
      const since = generation();
      const id = copyId();
      const found = await copy.read(keyId);
      if (!found?.wrapping) {
        await assertWholeSince(id);
        return undefined;
      }
      const key = unwrapKey(partitionOf(found.wrapping, since), found.key);
      return since === generation() ? opened.set(keyId, key) : key;
    },
    idsOf: async (org, user, session) => {
      const { id } = await copy.state();
      const ids = await copy.idsOf(
        ownerOf(org, user),
        session === undefined ? undefined : sessionOf(session),
      );
      await assertWholeSince(id);
      return ids;
    },
    destroy: async (org, user, session) => {
      const owner = ownerOf(org, user);
      const { id } = await copy.state();
      const ids = await copy.condemn(owner, session === undefined ? undefined : sessionOf(session));
      await destroyIds(owner, ids);
      // A copy rebuilt in between may hold them again.
      await assertWholeSince(id);
      await trustAnew();
      // From then on no other process uses one of them for new events.
      await pause(TRUSTED_MS);
      return ids;
    },
    destroyKeys: async keyIds => {
      const { id } = await copy.state();
      const owners = new Map<string, string[]>();
      for (const keyId of keyIds) {
        const found = await copy.read(keyId);
        if (found) owners.set(found.key.owner, [...(owners.get(found.key.owner) ?? []), keyId]);
      }
      for (const [owner, ids] of owners) {
        await copy.condemnIds(owner, ids);
        await destroyIds(owner, ids);
      }
      await assertWholeSince(id);
      // Even if another process destroyed them: this one may still have them cached.
      if (keyIds.length > 0) await trustAnew();
    },
    restore: () => restoreKeys(log, copy),
    close: async () => {},
  };
};
