import { boundedMap } from '../../../core/caches/bounded-map.ts';
import { partitionName } from '../../../core/log/positions.ts';
import type { AccountStore } from '../../../core/ports/accounts/account-store.ts';
import type { EventLog, RecordAddress } from '../../../core/ports.ts';
import type { RotationDocument, RotationEvent } from '../../../projections/accounts/accounts-projection.ts';
import { rotationOf } from '../../../projections/accounts/accounts-projection.ts';
import type { ProjectionsReader } from '../index/read/projections-reader.ts';
import { openAccountDocuments } from './account-documents.ts';

const MOST_READ = 10_000;
/**
 * The most rotations in memory, about 5 MB. One dropped before it is projected gets another time of issue.
 */
const MOST_ROTATIONS = 10_000;

export interface AccountStoreOptions {
  reader: ProjectionsReader;
  log: Pick<EventLog, 'append'>;
  encode: (event: Parameters<AccountStore['record']>[0]) => Uint8Array;
  /** Resolves when the event at this partition and offset is settled. */
  settled: (partition: string, offset: number) => Promise<void>;
}

/**
 * Opens accounts in the projections' file. Decisions are recorded one at a time, and each is awaited until it
 * is readable, so that the next decision takes it into account: the first event of an id wins.
 */
export const openAccountStore = ({
  reader,
  log,
  encode,
  settled,
}: AccountStoreOptions): AccountStore & { projectionMoved(): void } => {
  const documents = openAccountDocuments(reader);
  const known = reader.prepare('SELECT 1 FROM account_events WHERE id = ?');
  /** Documents read since the projection last advanced: every request reads its key and its organization. */
  const read = new Map<string, unknown>();
  const get = (kind: never, id: string): unknown => {
    const name = `${kind}/${id}`;
    if (read.has(name)) return read.get(name);
    const document = documents.get(kind, id);
    if (read.size >= MOST_READ) read.clear();
    read.set(name, document);
    return document;
  };
  let last: Promise<unknown> = Promise.resolve();

  const append = async (event: Parameters<AccountStore['record']>[0]): Promise<RecordAddress> => {
    const [address] = await log.append([{ topic: 'accounts', key: event.org_id, value: encode(event) }]);
    return address!;
  };

  const recordNow = async (
    event: Parameters<AccountStore['record']>[0],
  ): Promise<'recorded' | 'conflict'> => {
    if (known.get(event.id)) {
      // The file may be ahead of the reported projection: the caller must not decide by an older document
      // again.
      read.clear();
      return 'conflict';
    }
    const address = await append(event);
    await settled(partitionName(address), address.offset);
    return 'recorded';
  };

  const rotations = makeRotations(id => documents.get('rotation', id), append);

  return {
    get: (async (kind: string, id: string) =>
      kind === 'rotation' ? rotations.get(id) : get(kind as never, id)) as AccountStore['get'],
    projectionMoved: () => read.clear(),
    list: (async (kind: never, org?: string) => documents.list(kind, org)) as AccountStore['list'],
    liveKeys: async org => documents.liveKeys(org),
    countOrganizations: async () => documents.countOrganizations(),
    unusedSince: async (instant, most) => documents.unusedSince(instant, most),
    erasing: async () => documents.erasing(),
    record: event => {
      const result = last.then(() => recordNow(event));
      last = result.catch(() => undefined);
      return result;
    },
    rotate: rotations.rotate,
    note: async event => {
      if (!known.get(event.id)) await append(event);
    },
  };
};

/** Puts rotations into force as soon as they are appended: this process is the only one that makes them. */
const makeRotations = (
  projected: (id: string) => RotationDocument | undefined,
  append: (event: RotationEvent) => Promise<unknown>,
) => {
  const appended = boundedMap<RotationDocument>(MOST_ROTATIONS);
  const underWay = new Map<string, Promise<unknown>>();
  const get = (id: string): RotationDocument | undefined => projected(id) ?? appended.get(id);

  const rotate: AccountStore['rotate'] = async event => {
    const { token_id: id } = event.data;
    for (;;) {
      const rotation = get(id);
      if (rotation) return { outcome: 'conflict', rotation };
      const other = underWay.get(id);
      if (!other) break;
      // If it fails, this call tries next.
      await other.catch(() => undefined);
    }
    const mine = append(event);
    underWay.set(id, mine);
    try {
      await mine;
      return { outcome: 'recorded', rotation: appended.set(id, rotationOf(event)) };
    } finally {
      underWay.delete(id);
    }
  };
  return { get, rotate };
};
