import type { SaidOfNames } from '../../domain/facts/names/names.ts';
import type { SaidObservation, SaidTurn } from '../../domain/search/fragment.ts';
import type { SessionTitled } from '../../schemas/events/curation/correction.ts';
import type { RecallJudged } from '../../schemas/events/curation/judgement.ts';

/**
 * Where the log first contains a fragment; a session is ordered by (timestamp, offset). `part` is 0 for the
 * turn; its observations are counted from 1.
 */
export interface FragmentAddress {
  partition: number;
  /** The event offset (event-offset.ts). */
  offset: number;
  part: number;
}

/** The event that a write comes from: its position in the log, and when the service recorded it. */
export interface Origin {
  topic: 'turns' | 'observations';
  partition: number;
  /** The event offset (event-offset.ts). */
  offset: number;
  /** For an event that takes the address of another one: the event offset at which it was read. */
  readAt?: number | undefined;
  /** Unix milliseconds. */
  recordedAt: number;
  /** When it expires by itself: Unix milliseconds. Undefined: a retention decides. */
  expiresAt?: number | undefined;
  /** From when a retention counts, where that isn't `recordedAt`. */
  keptFrom?: number | undefined;
}

/** From when a retention counts for what an event says; undefined where its own expiry decides. */
export const keptFromOf = ({ recordedAt, expiresAt, keptFrom = recordedAt }: Origin): number | undefined =>
  expiresAt === undefined ? keptFrom : undefined;

/** One write to a recall index. Applying it twice changes nothing: the first copy of an id wins. */
export type RecallWrite = { origin: Origin } & RecallContent;

type RecallContent =
  | (SaidTurn & {
      op: 'turn';
      org: string;
      /** False: the index keeps only the identity. */
      active: boolean;
      passive: boolean;
      /** An encoded `Document`; empty when not active. */
      document: Uint8Array;
      /** Length of the document in stems, for the scope's statistics. */
      length: number;
      address: FragmentAddress;
      /** The terms of its write's metadata, where there are any (filter/terms.ts). */
      metadata?: readonly string[] | undefined;
    })
  | (SaidObservation & {
      op: 'observation';
      org: string;
      /** A client's observations are found by their own text; extracted ones through their turn. */
      document: Uint8Array | undefined;
      /** Set for a client's observations only. */
      address: FragmentAddress | undefined;
      /** The terms of its write's metadata, where there are any (filter/terms.ts). */
      metadata?: readonly string[] | undefined;
    })
  | {
      op: 'entity';
      id: string;
      org: string;
      user: string;
      session: string;
      label: string;
      normalised: string;
      kind: string;
      turnId: string;
      /** The terms of its write's metadata, where there are any (filter/terms.ts). */
      metadata?: readonly string[] | undefined;
    }
  | {
      op: 'enriched';
      org: string;
      user: string;
      session: string;
      turnId: string;
      outcome: 'done' | 'failed';
      reason: string | null;
    }
  /** An embedding model's vectors of a turn. */
  | {
      op: 'vectors';
      org: string;
      user: string;
      session: string;
      turnId: string;
      model: string;
      /** One signed byte a component, one vector after the other. */
      vectors: Uint8Array;
    }
  | {
      op: 'job';
      id: string;
      org: string;
      user: string;
      session: string;
      turnIds: string[];
      passive: boolean;
    }
  /** Records a statement about a user's names, a session's title, or a hit of a recall. */
  | {
      op: 'correction';
      id: string;
      org: string;
      user: string;
      /** `NO_SESSION` for names. */
      session: string;
      about: 'names' | AboutSession | AboutRecall;
      said: SaidOfNames | Partial<SaidOfSession> | SaidOfHit;
    }
  /**
   * Removes everything of the scope that comes from before `origin` in the same partition of the same topic.
   */
  | {
      op: 'erase';
      org: string;
      /** `scopeDigest` of organization and user. */
      owner: string;
      /** `scopeDigest` of organization, user and session; null: all sessions of the user. */
      session: string | null;
      /** Expired sessions: ids of turns that stay known where nothing else records them. */
      known?: readonly string[] | undefined;
    }
  /** Hides a turn with what was observed of it, or one observation, whether it is written before or after. */
  | {
      op: 'retract';
      org: string;
      user: string;
      session: string;
      turnId: string;
      /** Undefined: the turn itself. */
      observationId: string | undefined;
    };

/** Names a recall by the id of the event that billed it. */
export type AboutRecall = `rcl_${string}`;
/** A saying about one hit of the recall, in the hit's session; the last of each hit counts. */
export type SaidOfHit = Pick<RecallJudged, 'hit_id' | 'verdict'>;

/** Sayings about a session, each by an event of its own; the last of a kind counts. */
export type SaidOfSession = Pick<SessionTitled, 'title'>;
export type AboutSession = keyof SaidOfSession;
export const ABOUT_SESSIONS = Object.keys({
  title: true,
} satisfies Record<AboutSession, true>) as AboutSession[];

/** Writes that add to a store, without those that remove from it. */
export type StoredWrite = Exclude<RecallWrite, { op: 'erase' | 'retract' }>;
export type Erase = Extract<RecallWrite, { op: 'erase' }>;
export type Retract = Extract<RecallWrite, { op: 'retract' }>;

export const isErase = (write: RecallWrite): write is Erase => write.op === 'erase';
export const isRetract = (write: RecallWrite): write is Retract => write.op === 'retract';
export const isStored = (write: RecallWrite): write is StoredWrite => !isErase(write) && !isRetract(write);

/** Ids of turns and observations: the observation is hidden with any of them, beside its own turn. */
export const followedBy = (write: StoredWrite): readonly string[] =>
  write.op === 'observation' ? (write.corrects?.follows ?? NOTHING) : NOTHING;
const NOTHING: readonly string[] = [];

/** The id of what is hidden. */
export const hiddenIn = ({ turnId, observationId }: Retract): string => observationId ?? turnId;
