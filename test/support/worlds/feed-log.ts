import { partitionName } from '../../../core/log/positions.ts';
import type { FeedEntry, FeedIndex, FeedRange, Positions } from '../../../core/ports.ts';

const isIn = ({ from, to, after }: FeedRange, offset: number): boolean =>
  offset < to && (offset > from || (offset === from && after === undefined));

const digits = (number: number): string => number.toString(16).padStart(16, '0');
/** The id of the turn at this offset of the n-th partition. */
const idAt = (n: number, offset: number): string => `trn_${digits(n)}${digits(offset)}`;
/** Which partition has the turn with this id. */
export const partitionIn = (id: string): number => Number.parseInt(id.slice(4, 20), 16);

/** A log of these partitions, in memory, and the index of its entries. */
export const makeFeedLog = (names: readonly string[]) => {
  const ends: Positions = Object.fromEntries(names.map(name => [name, 0]));
  const entries: (FeedEntry & { org: string })[] = [];
  const asked = { settled: 0, wrote: 0, reads: 0 };
  let fault: Error | undefined;
  let held: Positions | undefined;
  /** Returns how much of the log is in the index. */
  const settled = (): Positions => ({ ...(held ?? ends) });
  const index: FeedIndex = {
    settled: async () => {
      asked.settled++;
      if (fault) throw fault;
      return settled();
    },
    wrote: async (organizations, ranges) => {
      asked.wrote++;
      const byName = new Map(ranges.map(range => [partitionName(range), { ...range, after: undefined }]));
      const inRanges = entries.filter(entry => {
        const range = byName.get(partitionName(entry));
        return range !== undefined && isIn(range, entry.offset);
      });
      const wrote = new Set(inRanges.map(({ org }) => org));
      return new Set(organizations.filter(org => wrote.has(org)));
    },
    partitionsOf: async org => {
      const upTo = settled();
      const shown = entries.filter(entry => entry.org === org && entry.offset < upTo[partitionName(entry)]!);
      return new Set(shown.map(partitionName));
    },
    read: async ({ org, user }, ranges, limit) => {
      asked.reads++;
      await Promise.resolve();
      const own = Map.groupBy(
        entries.filter(entry => entry.org === org && (user === undefined || entry.fragment.user === user)),
        partitionName,
      );
      const found = ranges.flatMap(range =>
        (own.get(partitionName(range)) ?? []).filter(({ offset }) => isIn(range, offset)),
      );
      return { entries: found.slice(0, limit), settled: settled() };
    },
  };
  const write = (org: string, user: string, n: number, text = 'said'): string => {
    const name = names[n % names.length]!;
    const [topic, partition] = name.split('/') as ['turns' | 'observations', string];
    const offset = ends[name]!;
    ends[name] = offset + 1;
    const id = idAt(n % names.length, offset);
    entries.push({
      org,
      fragment: { id, kind: 'turn', user, session: 's', role: 'user', text, timestamp: 0 },
      topic,
      partition: Number(partition),
      offset,
      recordedAt: 0,
      superseded: false,
    } as FeedEntry & { org: string });
    return id;
  };
  return {
    asked,
    entries,
    write,
    index,
    /** The index shows nothing that is written from now on, until it is resumed. */
    hold: () => {
      held = { ...ends };
    },
    resume: () => {
      held = undefined;
    },
    log: { ends: async () => ({ ...ends }) },
    fail: (error: Error | undefined) => {
      fault = error;
    },
  };
};
