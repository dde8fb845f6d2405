import { ServiceError } from '../../../../core/errors.ts';

/**
 * Bytes of bodies that requests in progress may hold, from the first byte read to the answer; an owner: half
 * of it.
 */
const MOST_BYTES = 64 * 1024 * 1024;

/** The bytes that one request holds. */
export interface Held {
  /** Adds bytes; throws `unavailable` when they don't fit, for all or for the owner. */
  add(bytes: number): void;
  /** Gives all of them back; once. */
  release(): void;
}

/**
 * Bounds the memory of bodies in progress. An owner is an organization, or the address of a caller without a
 * token; one holds at most half, so that one that sends its bodies slowly never keeps another one's out.
 */
export const makeBytesInFlight = (most = MOST_BYTES): ((owner: string) => Held) => {
  const ofOwner = new Map<string, number>();
  let all = 0;
  return owner => {
    let mine = 0;
    return {
      add: bytes => {
        const owned = (ofOwner.get(owner) ?? 0) + bytes;
        if (all + bytes > most || owned > most / 2) {
          throw new ServiceError('unavailable', 'Too many large requests are in progress; try again.', {
            retryAfter: 1,
          });
        }
        all += bytes;
        mine += bytes;
        ofOwner.set(owner, owned);
      },
      release: () => {
        const left = (ofOwner.get(owner) ?? 0) - mine;
        if (left > 0) ofOwner.set(owner, left);
        else ofOwner.delete(owner);
        all -= mine;
        mine = 0;
      },
    };
  };
};
