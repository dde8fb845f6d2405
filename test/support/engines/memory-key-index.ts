/** The index of the keys in memory: what Elasticsearch does for it, without its delays. */
import type {
  KeyIndex,
  KeyPosition,
  KeyStub,
  PageEnd,
  StoredKey,
} from '../../../infra/cluster/keys/index/key-index.ts';
import { tagOf } from '../../../infra/cluster/keys/record.ts';

const PAGE = 500;

const isAfter = (key: StoredKey, after: PageEnd | undefined): boolean =>
  after === undefined || key.partition > after[0] || (key.partition === after[0] && key.offset > after[1]);

export const memoryKeyIndex = (): KeyIndex & { keys: Map<string, StoredKey> } => {
  const keys = new Map<string, StoredKey>();
  const stored = new Map<number, KeyPosition>();
  let versions = 0;
  let turn = Number.NEGATIVE_INFINITY;
  const page = (matches: (key: StoredKey) => boolean, after: PageEnd | undefined): StoredKey[] =>
    [...keys.values()]
      .filter(key => key.key && matches(key) && isAfter(key, after))
      .sort((a, b) => a.partition - b.partition || a.offset - b.offset)
      .slice(0, PAGE);

  return {
    keys,
    positions: async partitions =>
      partitions.map(partition => stored.get(partition) ?? { partition, offset: 0, pass: '', whole: 0 }),
    move: async ({ partition, fence }, to) => {
      if (stored.get(partition)?.fence?.seqNo !== fence?.seqNo) return false;
      stored.set(partition, { ...to, partition, fence: { seqNo: ++versions, primaryTerm: 1 } });
      return true;
    },
    write: async written => {
      for (const key of written)
        if (key.offset >= (keys.get(key.keyId)?.offset ?? 0)) keys.set(key.keyId, key);
    },
    byIds: async ids => new Map(ids.flatMap(id => (keys.has(id) ? [[id, keys.get(id)!]] : []))),
    ofScopes: async (owner, sessions, pass) =>
      [...keys.values()].filter(
        key => key.owner === tagOf(owner) && sessions.includes(key.session) && key.pass === pass,
      ),
    sessionsOf: async (owner, pass, after) =>
      page(key => key.owner === tagOf(owner) && key.session !== '' && key.pass === pass, after),
    users: async ({ partition, pass }, after) =>
      page(key => key.session === '' && key.partition === partition && key.pass === pass, after),
    wrappedBy: async (ids, after) => page(({ under }) => ids.includes(under), after),
    unswept: async () => [...keys.values()].filter(({ key, isUnswept }) => !key && isUnswept) as KeyStub[],
    clean: async (before, complete) => {
      const passes = new Map(complete.map(({ partition, pass }) => [partition, pass]));
      for (const [id, { key, isUnswept, since = 0, partition, pass }] of keys)
        if ((!key && !isUnswept && since < before) || (passes.get(partition) ?? pass) !== pass)
          keys.delete(id);
    },
    takeTurn: async everyMs => {
      if (performance.now() - turn < everyMs) return false;
      turn = performance.now();
      return true;
    },
  };
};
