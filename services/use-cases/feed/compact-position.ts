/**
 * A position as bytes: by topic the number of points, then each point as the gap to the partition before it,
 * doubled, plus one if it is within a record; the offset, or there the event's in 256ths; and then its
 * last id that was sent, as its kind and 16 bytes. Numbers are unsigned LEB128.
 */
import { MOST_EVENTS } from '../../../schemas/events/envelope.ts';

/** A stream's position in one partition. */
export interface Point {
  /** The offset of the next record; with `after`, an event offset (event-offset.ts). */
  offset: number;
  /**
   * Entries of that event up to this id have been sent already, and those of the events before it in its
   * record.
   */
  after?: string | undefined;
}

/** A partition's number and the point in it. */
export type PartitionPoint = readonly [partition: number, point: Point];

const KINDS = ['trn_', 'obs_'];
const ID_BYTES = 16;
/** More bytes than the largest safe integer takes. */
const MOST_NUMBER_BYTES = 8;

const bytesOfNumber = (number: number): number[] => {
  const bytes: number[] = [];
  for (let rest = number; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return [...bytes, rest];
    bytes.push((rest % 128) + 128);
  }
};

const bytesOfPoint = (gap: number, { offset, after }: Point): number[] => {
  if (after === undefined) return [...bytesOfNumber(gap * 2), ...bytesOfNumber(offset)];
  const start = [...bytesOfNumber(gap * 2 + 1), ...bytesOfNumber(offset * MOST_EVENTS)];
  return [...start, KINDS.indexOf(after.slice(0, 4)), ...Buffer.from(after.slice(4), 'hex')];
};

/** The topics' points; those of a topic in the order of their partitions. */
export const bytesOfPoints = (topics: readonly (readonly PartitionPoint[])[]): Buffer =>
  Buffer.from(
    topics.flatMap(points => [
      ...bytesOfNumber(points.length),
      ...points.flatMap(([partition, point], i) =>
        bytesOfPoint(partition - (points[i - 1]?.[0] ?? -1) - 1, point),
      ),
    ]),
  );

/**
 * Reads zeros beyond the end, and from what is malformed; `isSound` says whether neither has happened and all
 * is read.
 */
const makeReader = (bytes: Buffer) => {
  let at = 0;
  let isMalformed = false;
  const byte = (): number => bytes[at++] ?? 0;
  return {
    isSound: () => !isMalformed && at === bytes.length,
    number: (): number => {
      let value = 0;
      for (let i = 0; i < MOST_NUMBER_BYTES; i++) {
        const part = byte();
        value += (part % 128) * 128 ** i;
        if (part < 128 && Number.isSafeInteger(value)) return value;
      }
      isMalformed = true;
      return 0;
    },
    id: (): string => {
      const kind = KINDS[byte()];
      at += ID_BYTES;
      isMalformed ||= kind === undefined;
      return kind + bytes.toString('hex', at - ID_BYTES, at);
    },
  };
};

/** Inverse of `bytesOfPoints`; undefined for anything else, and for partitions from `mostPartitions` on. */
export const pointsOf = (
  bytes: Buffer,
  topics: number,
  mostPartitions: number,
): PartitionPoint[][] | undefined => {
  const reader = makeReader(bytes);
  const all: PartitionPoint[][] = [];
  while (all.length < topics) {
    const points: PartitionPoint[] = [];
    for (let left = reader.number(), partition = -1; left > 0; left--) {
      const gap = reader.number();
      partition += Math.floor(gap / 2) + 1;
      if (partition >= mostPartitions) return undefined;
      const offset = reader.number();
      const within = () => ({ offset: offset / MOST_EVENTS, after: reader.id() });
      points.push([partition, gap % 2 === 0 ? { offset } : within()]);
    }
    all.push(points);
  }
  return reader.isSound() ? all : undefined;
};
