import { hash } from 'node:crypto';
import { endOfDocument } from '../accounts/lifetimes.ts';
import type { AccountState } from '../accounts/projection.ts';
import type { StoredWrite } from '../recall/projection.ts';
import type { UsageRow } from '../usage/projection.ts';

/**
 * The kinds of rows in a projection, the same for every store. `billed`: a billed event with its tokens;
 * `metered`: the fact that a recall was billed, where a store keeps no more; `day`: an organization's totals
 * of a UTC day.
 */
export const ROW_KINDS = {
  recall: ['turn', 'identity', 'observation', 'mention', 'enriched', 'job'],
  usage: ['billed', 'metered', 'day'],
  accounts: ['organization', 'api_key', 'rotation', 'family'],
} as const;

export type VerifiedProjection = keyof typeof ROW_KINDS;
export type RowKind = (typeof ROW_KINDS)[VerifiedProjection][number];

export const projectionOf = (kind: RowKind): VerifiedProjection =>
  (Object.keys(ROW_KINDS) as VerifiedProjection[]).find(name =>
    (ROW_KINDS[name] as readonly RowKind[]).includes(kind),
  )!;

/** The event that a row comes from. */
export interface RowPlace {
  topic: string;
  partition: number;
  offset: number;
}

export interface Row {
  kind: RowKind;
  /** '' where the store does not record it. */
  org: string;
  /** Unique within its kind. */
  id: string;
  /** Rows of one unit are sampled together: see sample.ts. */
  unit: string;
  /** First 128 bits of SHA-256 over every field, hex. */
  hash: string;
  /** Undefined when it comes from several events. */
  place: RowPlace | undefined;
  /** Found by an extractor; a client's own observation takes precedence. */
  extracted?: boolean;
  /** When a store may delete it, Unix milliseconds. */
  end?: number | undefined;
}

/** The sampling unit: a turn and all that derives from it, by the 32 digits that their ids share. */
export const unitOf = (id: string): string => /^(?:trn|ext|job)_([0-9a-f]{32})/.exec(id)?.[1] ?? id;

const digestOf = (fields: readonly unknown[]): string => hash('sha256', JSON.stringify(fields)).slice(0, 32);

const base64 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');

/** The row of a write, from the fold or read back from a store. Hashes every field that a store keeps. */
export const recallRow = (write: StoredWrite): Row => {
  const { topic, partition, offset, recordedAt } = write.origin;
  const place = { topic, partition, offset };
  const row = (kind: RowKind, id: string, unit: string, fields: readonly unknown[]): Row => ({
    kind,
    org: write.org,
    id,
    unit: unitOf(unit),
    hash: digestOf([kind, write.org, id, topic, partition, offset, recordedAt, ...fields]),
    place,
  });
  switch (write.op) {
    case 'turn': {
      const { id, user, session, role, text, timestamp, passive, sealedTokens, document } = write;
      const identity = [user, session, passive, sealedTokens];
      if (!write.active) return row('identity', id, id, identity);
      return row('turn', id, id, [...identity, role, text, timestamp, base64(document)]);
    }
    case 'observation': {
      const { id, user, session, turnId, role, text, timestamp, source, document } = write;
      const bytes = document ? base64(document) : '';
      return {
        ...row('observation', id, turnId, [user, session, turnId, role, text, timestamp, source, bytes]),
        extracted: source !== 'client',
      };
    }
    case 'entity': {
      const { id, user, session, label, normalised, kind, turnId } = write;
      // A label is somebody's words, so the row's id holds only its hash.
      const name = `${id}/${turnId}/${digestOf([label, kind]).slice(0, 16)}`;
      return row('mention', name, turnId, [user, session, label, normalised, kind]);
    }
    case 'enriched':
      return row('enriched', write.turnId, write.turnId, [
        write.user,
        write.session,
        write.outcome,
        write.reason,
      ]);
    case 'job':
      return row('job', write.id, write.id, [write.user, write.session, write.turnIds, write.passive]);
  }
};

export const billedRow = (billed: UsageRow): Row => {
  const { eventId, org, day, tokensIn, tokensOut, topic, partition, offset } = billed;
  return {
    kind: 'billed',
    org,
    id: eventId,
    unit: unitOf(eventId),
    // Without its place: another event may bill an erased turn.
    hash: digestOf(['billed', org, eventId, day, tokensIn, tokensOut]),
    place: { topic, partition, offset },
  };
};

export const meteredRow = (eventId: string, place?: RowPlace): Row => ({
  kind: 'metered',
  org: '',
  id: eventId,
  unit: unitOf(eventId),
  hash: digestOf(['metered', eventId]),
  place,
});

export interface DayOfUsage {
  org: string;
  /** UTC, YYYY-MM-DD. */
  day: string;
  tokensIn: number;
  tokensOut: number;
}

export const dayRow = ({ org, day, tokensIn, tokensOut }: DayOfUsage): Row => {
  const id = JSON.stringify([org, day]);
  const hash = digestOf(['day', org, day, tokensIn, tokensOut]);
  return { kind: 'day', org, id, unit: id, hash, place: undefined };
};

/** Sorts members by name, so that the hash doesn't depend on who wrote the document. */
const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, member]) => [name, sorted(member)]),
  );
};

export const accountRow = (state: AccountState): Row => {
  const { kind, id, org, document } = state;
  const hash = digestOf([kind, org, id, sorted(document)]);
  return { kind, org, id, unit: id, hash, place: undefined, end: endOfDocument(state) };
};
