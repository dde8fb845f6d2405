import type { KeyObject } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { unavailable } from '../../../services/core/errors.ts';
import {
  type InstallationKeys,
  rewrapped,
  unwrapUserKey,
  wrappedBy,
} from '../../../services/core/log/installation-keys.ts';
import { identityOf, makeWrappedKey, PARTITION, unwrapKey } from '../../../services/core/log/key-wrapping.ts';
import type { SessionKey } from '../../../services/core/ports.ts';
import type { HeldKey, KeyCopy, View } from './copy.ts';
import type { KeyLog } from './key-log.ts';
import type { LoggedKey } from './record.ts';
import type { KeyTrust } from './trust.ts';

/** The process that made a proposal this old is considered dead: its append is repeated unchanged. */
const OVERDUE_MS = 2_000;
const WAIT_MS = 5_000;
const POLL_MS = 10;

/** Unwraps a partition's key, which wraps the keys of its sessions. */
export type PartitionKeys = (key: LoggedKey, since: number) => KeyObject;

export const makePartitionKeys = (
  installation: InstallationKeys,
  trust: Pick<KeyTrust, 'cache'>,
): PartitionKeys => {
  /** By key id. */
  const unwrapped = trust.cache<KeyObject>();
  return (key, since) =>
    unwrapped.get(key.keyId) ?? unwrapped.keep(key.keyId, unwrapUserKey(installation, key), since);
};

export interface SessionKeysOptions {
  installation: InstallationKeys;
  partitionKey: PartitionKeys;
  copy: Pick<KeyCopy, 'settle' | 'withdraw' | 'replace' | 'point' | 'unpoint'>;
  log: KeyLog;
  trust: Pick<KeyTrust, 'generation' | 'copyId' | 'assertWholeSince'>;
}

/** Reads a session's keys from Redis; where they are missing or not durable, makes them or waits for them. */
export const makeSessionKeys = ({ installation, partitionKey, copy, log, trust }: SessionKeysOptions) => {
  /** Makes new keys for those that the scope lacks. */
  const proposalsFor = (
    partition: LoggedKey | undefined,
    owner: string,
    session: string,
    since: number,
  ): LoggedKey[] => {
    if (partition) {
      return [{ ...makeWrappedKey(partitionKey(partition, since), owner, session), under: partition.keyId }];
    }
    const first = { ...makeWrappedKey(installation.read()[0]!, owner, PARTITION), under: '' };
    const wrapping = unwrapUserKey(installation, first);
    return [first, { ...makeWrappedKey(wrapping, owner, session), under: first.keyId }];
  };

  /**
   * The keys to append. A user's key may have been proposed before a rotation and appended by nobody: then the installation's
   * first key wraps it anew; one that no key opens is withdrawn, and the result is undefined.
   */
  const appendable = async (
    owner: string,
    keys: readonly LoggedKey[],
  ): Promise<readonly LoggedKey[] | undefined> => {
    const users = keys.filter(({ under }) => under === '');
    const by = Map.groupBy(users, key => wrappedBy(installation, key));
    const lost = (by.get('none') ?? []).map(({ keyId }) => keyId);
    if (lost.length > 0) {
      await log.destroy(owner, await copy.withdraw(owner, lost));
      return undefined;
    }
    const others = new Map((by.get('another') ?? []).map(key => [key.keyId, rewrapped(installation, key)]));
    // Redis first: whoever finds the proposal from now on appends this record of it.
    if (others.size > 0) await copy.replace(owner, [...others.values()]);
    return keys.map(key => others.get(key.keyId) ?? key);
  };

  /**
   * Whatever Redis holds of a key when it comes back from a restart, it finds the key by its id: what was destroyed
   * since then is destroyed by its id.
   */
  const propose = async (proposals: readonly LoggedKey[]): Promise<readonly LoggedKey[]> => {
    await Promise.all(proposals.map(copy.point));
    return proposals;
  };

  const unwrap = ({ partition, wrapping, session }: Ready, since: number): SessionKey => {
    const current = partitionKey(partition, since);
    const { keyId } = session;
    return {
      keyId,
      sealing: unwrapKey(wrapping ? partitionKey(wrapping, since) : current, session),
      identity: identityOf(current, keyId),
    };
  };

  return async (owner: string, session: string): Promise<SessionKey> => {
    const since = trust.generation();
    const id = trust.copyId();
    const deadline = performance.now() + WAIT_MS;
    let proposals: readonly LoggedKey[] = [];
    let durable: string[] = [];
    for (;;) {
      const view = await copy.settle(owner, session, proposals, durable);
      await copy.unpoint(refused(view, proposals));
      // Our append may have followed the tombstone.
      await log.destroy(owner, view.destroyed);
      const next = nextStep(view, proposals);
      const pointed = new Set(proposals.map(({ keyId }) => keyId));
      [proposals, durable] = [[], []];
      if (next.kind === 'ready') return unwrap(next, since);
      if (next.kind === 'append') {
        const keys = await appendable(owner, next.keys);
        if (!keys) continue;
        // Those of an earlier release, which points to a key after its append.
        await Promise.all(keys.filter(({ keyId }) => !pointed.has(keyId)).map(copy.point));
        await log.append(keys);
        await trust.assertWholeSince(id);
        durable = keys.map(({ keyId }) => keyId);
        continue;
      }
      if (next.kind === 'propose')
        proposals = await propose(proposalsFor(view.partition?.key, owner, session, since));
      else await pause(POLL_MS);
      // Proposals stay in Redis: the next call continues with them.
      if (performance.now() > deadline) throw unavailable('A sealing key is still being made.');
    }
  };
};

/** The ids of the proposals that Redis didn't take: the scope has another key. */
const refused = ({ partition, session }: View, proposals: readonly LoggedKey[]): string[] =>
  proposals.map(({ keyId }) => keyId).filter(id => id !== partition?.key.keyId && id !== session?.key.keyId);

interface Ready {
  kind: 'ready';
  partition: LoggedKey;
  session: LoggedKey;
  /** The key that wraps the session's key, unless it is the partition's current key. */
  wrapping: LoggedKey | undefined;
}

/**
 * Decides what to do about a view: append our proposals and those of dead processes, propose missing keys, or wait for
 * others.
 */
const nextStep = (
  { partition, session, wrapping }: View,
  proposed: readonly LoggedKey[],
): Ready | { kind: 'append'; keys: LoggedKey[] } | { kind: 'propose' } | { kind: 'wait' } => {
  const mine = new Set(proposed.map(({ keyId }) => keyId));
  const held: HeldKey[] = [partition, wrapping, session].filter(each => each !== undefined);
  const keys = held
    .filter(({ key, proposedFor = 0 }) => mine.has(key.keyId) || proposedFor > OVERDUE_MS)
    .map(({ key }) => key);
  if (keys.length > 0) return { kind: 'append', keys };
  if (!partition || !session) return { kind: 'propose' };
  if (held.some(({ proposedFor }) => proposedFor !== undefined)) return { kind: 'wait' };
  return { kind: 'ready', partition: partition.key, session: session.key, wrapping: wrapping?.key };
};
