import { describe, expect, it } from 'vitest';
import { scopeDigest } from '../../../../../../domain/identity/identity.ts';
import {
  bulks,
  expiredLines,
  knownLines,
  retractionLines,
} from '../../../../../../infra/cluster/elasticsearch/write/bulk.ts';
import type { Origin, Retract, StoredWrite } from '../../../../../../projections/recall/recall-writes.ts';

const id = `trn_${'a'.repeat(32)}`;
const scope = { org: 'acme', user: 'ada', session: 's' };
const owner = scopeDigest(['acme', 'ada']);
const session = scopeDigest(['acme', 'ada', 's']);

const originAt = (offset: number, readAt?: number): Origin => ({
  topic: 'turns',
  partition: 0,
  offset,
  readAt,
  recordedAt: 0,
});

const turnFrom = (origin: Origin): StoredWrite => ({
  op: 'turn',
  origin,
  ...scope,
  id,
  role: 'user',
  text: '',
  timestamp: 0,
  active: false,
  passive: true,
  document: new Uint8Array(),
  length: 0,
  address: { partition: 0, offset: origin.offset, part: 0 },
});

const retractFrom = (origin: Origin): Retract => ({
  op: 'retract',
  origin,
  ...scope,
  turnId: id,
  observationId: undefined,
});

const versionsIn = ({ lines }: { lines: readonly string[] }): number[] =>
  lines.filter((_, i) => i % 2 === 0).map(line => JSON.parse(line).index.version);

const versionsOf = (...origins: Origin[]): number[] =>
  [...bulks(origins.map(turnFrom), () => ({}) as never, 1_000)].flatMap(versionsIn);

describe('the external version', () => {
  it('of the first copy in the partition is the higher one', () => {
    const [third, ninth] = versionsOf(originAt(3), originAt(9));
    expect(third).toBeGreaterThan(ninth!);
  });

  it('of a requeued copy is above that of the event itself', () => {
    const [event, requeued] = versionsOf(originAt(3), originAt(3, 9));
    expect(requeued).toBeGreaterThan(event!);
  });

  it('rises from any copy to expired, to any retraction, to known, and is exact', () => {
    // The offsets whose versions are the highest and the lowest.
    const origins = [originAt(0, 9), originAt(2 ** 45)];
    const copies = versionsOf(...origins);
    const [expired] = versionsIn(expiredLines([{ id, org: 'acme', owner }]));
    const retractions = versionsIn(retractionLines(origins.map(retractFrom), new Map()));
    const [known] = versionsIn(
      knownLines([{ op: 'erase', origin: originAt(6), org: 'acme', owner, session, known: [id] }]),
    );
    expect(expired).toBeGreaterThan(Math.max(...copies));
    expect(Math.min(...retractions)).toBeGreaterThan(expired!);
    expect(known).toBeGreaterThan(Math.max(...retractions));
    expect(known).toBeLessThanOrEqual(Number.MAX_SAFE_INTEGER);
  });
});
