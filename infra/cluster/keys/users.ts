import { orgAndUserOf, PARTITION } from '../../../core/log/keys/key-wrapping.ts';
import { foldKeys } from './fold-keys.ts';
import type { KeyIndex, PageEnd } from './index/key-index.ts';
import type { Lookup } from './lookup.ts';
import type { LoggedKey } from './record.ts';

export interface UserKeysPorts {
  index: Pick<KeyIndex, 'users'>;
  lookup: Pick<Lookup, 'positionsOf' | 'tailOf' | 'endsOf'>;
}

/** Yields, page by page, the living users' keys of a partition that has records up to `end`. */
export async function* userKeysOf({ index, lookup }: UserKeysPorts, partition: number, end: number) {
  const position = (await lookup.positionsOf([partition])).get(partition)!;
  const tail = await lookup.tailOf(position, end);
  const records = tail.records().filter(({ key }) => key?.session === PARTITION);
  /** Users that the index may lack. */
  const left = new Map(foldKeys([], records, tail.isDestroyed).map(({ key }) => [key.keyId, key] as const));
  for (let after: PageEnd | undefined; position.pass !== ''; ) {
    const page = await index.users(position, after);
    const last = page.at(-1);
    if (!last) break;
    const living = foldKeys(
      page,
      page.flatMap(({ keyId }) => tail.ofKey(keyId)),
      tail.isDestroyed,
    );
    for (const { key } of living) left.delete(key.keyId);
    yield living.map(({ key }) => key);
    after = [last.partition, last.offset];
  }
  yield [...left.values()] as LoggedKey[];
}

/**
 * Yields the users of an organization who have keys. The index knows owners by digests, so the keys of all
 * users are read: for what is done once in the life of an organization.
 */
export async function* usersOf(ports: UserKeysPorts, org: string): AsyncGenerator<string[]> {
  for (const { partition, offset } of await ports.lookup.endsOf())
    for await (const keys of userKeysOf(ports, partition, offset)) {
      const owners = keys.map(({ owner }) => orgAndUserOf(owner));
      const users = owners.filter(([name]) => name === org).map(([, user]) => user);
      if (users.length > 0) yield users;
    }
}
