import type {
  Origin,
  Retract,
  SaidOfNames,
  SaidOfSession,
  StoredWrite,
} from '../../../projections/recall/projection.ts';
import { placeOf } from '../../../schemas/events/place.ts';
import { RETRACTED } from './documents.ts';
import { type PackedFragment, unpackFragment } from './fragment.ts';
import type { DocumentKind } from './index.ts';

/** A document as it is stored. One that only hides another, or stands for what has expired, is no row. */
export type Source = { kind: Exclude<DocumentKind, 'hidden' | 'expired'>; org: string } & Record<
  string,
  unknown
>;

/** Returns the write that a document was made from: the inverse of `newDocument` and of `retractionDocuments`. */
export const writeOf = (id: string, source: Source): StoredWrite | Retract => {
  const text = (name: string): string => String(source[name] ?? '');
  const { org } = source;
  const isExtracted = ['extracted', 'mention', 'enriched', 'vectors'].includes(source.kind);
  const origin: Origin = {
    topic: isExtracted ? 'observations' : 'turns',
    partition: Number(source.partition),
    offset: placeOf({ offset: Number(source.offset), index: Number(source.index ?? 0) }),
    recordedAt: Number(source.recorded_at),
    ...(source.expires_at !== undefined && { expiresAt: Number(source.expires_at) }),
    ...(source.kept_from !== undefined && { keptFrom: Number(source.kept_from) }),
  };
  const terms = source.metadata === undefined ? {} : { metadata: source.metadata as string[] };
  const owner = { origin, org, user: text('user'), session: text('session') };
  switch (source.kind) {
    case 'identity':
    case 'turn':
    case 'said':
    case 'extracted': {
      // Only a turn's identity has an outcome.
      if (source.outcome === RETRACTED)
        return { op: 'retract', ...owner, turnId: text('id'), observationId: undefined };
      const { place, document, fact, corrects } = packed(source.fragment);
      const common = {
        ...owner,
        id: text('id'),
        role: text('role'),
        text: text('text'),
        timestamp: Number(source.timestamp ?? 0),
        ...terms,
      };
      if (source.kind === 'said' || source.kind === 'extracted') {
        const said = source.kind === 'said';
        return {
          op: 'observation',
          ...common,
          turnId: text('turn'),
          source: text('source') as 'client' | 'rules' | 'llm',
          fact,
          corrects,
          document: said ? document : undefined,
          place: said ? place : undefined,
        };
      }
      return {
        op: 'turn',
        ...common,
        active: source.active === true,
        passive: source.passive === true,
        document,
        length: Number(source.length ?? 0),
        place: place ?? { partition: origin.partition, offset: origin.offset, part: 0 },
      };
    }
    case 'retraction':
      return { op: 'retract', ...owner, turnId: text('turn'), observationId: text('id') };
    case 'mention':
      return {
        op: 'entity',
        ...owner,
        id: text('entity'),
        label: text('label'),
        normalised: text('normalised'),
        kind: text('entity_kind'),
        turnId: text('turn'),
        ...terms,
      };
    case 'enriched': {
      const reason = source.reason === undefined ? null : (source.reason as string | null);
      return {
        op: 'enriched',
        ...owner,
        turnId: text('turn'),
        outcome: text('outcome') as 'done',
        reason,
      };
    }
    case 'vectors':
      return {
        op: 'vectors',
        ...owner,
        turnId: text('turn'),
        model: text('source'),
        vectors: Buffer.from(text('fragment'), 'base64'),
      };
    case 'correction':
      return { op: 'correction', ...owner, id, said: saidIn(source.fragment) };
    case 'job':
      return {
        op: 'job',
        ...owner,
        id,
        turnIds: source.turns as string[],
        passive: source.passive === true,
      };
  }
};

/** What is unreadable becomes no title, which differs from the log's. */
const saidIn = (base64: unknown): SaidOfNames | SaidOfSession => {
  try {
    return JSON.parse(Buffer.from(String(base64), 'base64').toString());
  } catch {
    return { title: null };
  }
};

/** An unreadable fragment becomes an empty document, which differs from the log's. */
const packed = (
  base64: unknown,
): Partial<Pick<PackedFragment, 'place'>> &
  Pick<PackedFragment, 'document'> &
  Pick<PackedFragment['fragment'], 'fact' | 'corrects'> => {
  try {
    if (typeof base64 === 'string') {
      const { place, document, fragment } = unpackFragment(base64);
      return { place, document, fact: fragment.fact, corrects: fragment.corrects };
    }
  } catch {}
  return { document: new Uint8Array() };
};
