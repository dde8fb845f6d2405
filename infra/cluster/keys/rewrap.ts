import {
  type InstallationKeys,
  isWrappedByFirst,
  rewrapped,
  wrappedBy,
} from '../../../services/core/log/installation-keys.ts';
import { PARTITION } from '../../../services/core/log/key-wrapping.ts';
import { partitionsOf } from '../../../services/core/log/positions.ts';
import type { KeyStore, SharedLog } from '../../../services/core/ports.ts';
import { makeYieldWhenDue } from '../../../services/core/yield-when-due.ts';
import type { KeyCopy } from './copy.ts';
import type { KeyLog } from './key-log.ts';
import { keyOf, keyRecord } from './record.ts';
import { keyPages } from './restore.ts';
import type { KeyTrust } from './trust.ts';

/** Users at a time: their appends share batches. */
const AT_ONCE = 50;
/** Records of Redis that are read at a time, in one pipeline. */
const READ_AT_ONCE = 500;

export interface RewrapPorts {
  installation: InstallationKeys;
  copy: Pick<KeyCopy, 'state' | 'idsOf' | 'read' | 'replace'>;
  log: Pick<SharedLog, 'append' | 'read' | 'ends'>;
  keyLog: Pick<KeyLog, 'destroy'>;
  trust: Pick<KeyTrust, 'assertWholeSince'>;
}

/** What a partition of the topic holds of users' keys. */
interface Found {
  /** The ids of all of them. */
  users: ReadonlySet<string>;
  /** By id, the owner of each that another key wraps, by its latest record or by that in Redis. */
  others: Map<string, string>;
  /** By id, the owner of each that has a record after its tombstone: an interrupted call may leave one. */
  late: Map<string, string>;
}

/**
 * Goes by the log and by Redis, which both have to be readable without the former keys: a key is appended anew under its own
 * id, and then replaced in Redis. A call that is interrupted between the two leaves Redis as it was.
 */
export const makeRewrap = ({ installation, copy, log, keyLog, trust }: RewrapPorts): KeyStore['rewrap'] => {
  const findInLog = async (partition: number, end: number): Promise<Found> => {
    const users = new Set<string>();
    const destroyed = new Set<string>();
    const others: Found['others'] = new Map();
    const late: Found['late'] = new Map();
    const yieldWhenDue = makeYieldWhenDue();
    for await (const records of keyPages(log, partition, end)) {
      for (const record of records) {
        const key = keyOf(record);
        const id = key?.keyId ?? record.name;
        if (id === undefined || (key && key.under !== '')) continue;
        others.delete(id);
        if (!key) {
          destroyed.add(id);
          users.delete(id);
          late.delete(id);
        } else if (destroyed.has(id)) late.set(id, key.owner);
        else {
          users.add(id);
          if (!isWrappedByFirst(installation, key)) others.set(id, key.owner);
        }
        await yieldWhenDue();
      }
    }
    return { users, others, late };
  };

  const find = async (partition: number, end: number): Promise<Found> => {
    const { id: copyId } = await copy.state();
    const found = await findInLog(partition, end);
    const { users, others } = found;
    const left = [...users].filter(id => !others.has(id));
    for (let next = 0; next < left.length; next += READ_AT_ONCE) {
      const held = await Promise.all(left.slice(next, next + READ_AT_ONCE).map(copy.read));
      for (const record of held)
        if (record && !isWrappedByFirst(installation, record.key))
          others.set(record.key.keyId, record.key.owner);
    }
    // A copy that is being made anew doesn't show yet what it will hold.
    await trust.assertWholeSince(copyId);
    return found;
  };

  /**
   * All keys that the user ever had, in their order and in one append: after a compaction the first one must still be the
   * first. One that is destroyed meanwhile gets a tombstone behind its new record.
   */
  const rewrapOwner = async (owner: string, { users }: Found): Promise<void> => {
    const { id: copyId } = await copy.state();
    const ids = await copy.idsOf(owner, PARTITION);
    const held = (await Promise.all(ids.map(copy.read))).flatMap(found => (found ? [found.key] : []));
    // A proposal that no key opens was never used, and is made anew when it is needed (session-keys.ts).
    const openable = held.filter(key => users.has(key.keyId) || wrappedBy(installation, key) !== 'none');
    const keys = openable.map(key => rewrapped(installation, key));
    if (keys.length === 0) return;
    await log.append(keys.map(keyRecord));
    const lost = await copy.replace(owner, keys);
    // In a copy that was made anew meanwhile a missing key proves nothing.
    await trust.assertWholeSince(copyId);
    await keyLog.destroy(owner, lost);
  };

  return async function* ({ dryRun }, signal) {
    installation.read(true);
    let [checked, count] = [0, 0];
    for (const { partition, offset: end } of partitionsOf(await log.ends(), 'keys')) {
      const found = await find(partition, end);
      checked += found.users.size;
      if (dryRun) count += new Set(found.others.values()).size;
      else {
        for (const [id, owner] of found.late) await keyLog.destroy(owner, [id]);
        const owners = [...new Set(found.others.values())];
        for (let next = 0; next < owners.length; next += AT_ONCE) {
          if (signal.aborted) return;
          const some = owners.slice(next, next + AT_ONCE);
          await Promise.all(some.map(owner => rewrapOwner(owner, found)));
          count += some.length;
          yield { kind: 'progress', checked, rewrapped: count };
        }
      }
      yield { kind: 'progress', checked, rewrapped: count };
    }
    yield { kind: 'done', checked, rewrapped: count };
  };
};
