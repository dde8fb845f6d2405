import type { KeyCopy } from './copy.ts';
import type { LoggedKey } from './record.ts';

/** Keys read at a time, in one pipeline: an erasure of an earlier release may name thousands. */
const READ_AT_ONCE = 500;

/** Those of the ids that Redis has, in their order, page by page. */
export async function* heldPages(
  copy: Pick<KeyCopy, 'read'>,
  ids: readonly string[],
): AsyncGenerator<LoggedKey[]> {
  for (let at = 0; at < ids.length; at += READ_AT_ONCE) {
    const found = await Promise.all(ids.slice(at, at + READ_AT_ONCE).map(copy.read));
    yield found.flatMap(held => (held ? [held.key] : []));
  }
}

/**
 * Condemns keys of an owner before they are destroyed, and returns their ids: whoever still marks one of them as durable learns
 * of it. Users' keys are marked too, so that what they wrapped is swept later.
 */
export const condemnKeys = async (
  copy: Pick<KeyCopy, 'condemnIds' | 'mark'>,
  owner: string,
  keys: readonly LoggedKey[],
): Promise<string[]> => {
  const ids = keys.map(({ keyId }) => keyId);
  await copy.condemnIds(owner, ids);
  const users = keys.filter(({ under }) => under === '');
  await copy.mark(
    owner,
    users.map(({ keyId }) => keyId),
  );
  return ids;
};
