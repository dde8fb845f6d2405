import { scopeDigest } from '../../domain/identity/identity.ts';
import type { MemoryErased } from '../../schemas/events/curation/erasure.ts';
import type { MemoryExpired } from '../../schemas/events/curation/expiry.ts';
import type { TurnRecorded } from '../../schemas/events/turns.ts';
import type { RecallMetered } from '../../schemas/events/usage.ts';

/** The usage that one event bills. Rows are unique by `eventId`: the first wins. */
export interface UsageRow {
  eventId: string;
  org: string;
  /** UTC day of the event's `recorded_at`, YYYY-MM-DD. */
  day: string;
  tokensIn: number;
  tokensOut: number;
  /**
   * Whose it is, without a name: of a turn the id of its sealing key, which belongs to one session until that
   * is erased; of a recall `scopeDigest` of the user.
   */
  source: string;
  /** The id of the API key that called; '' where none is known. */
  apiKey: string;
  /** The source's name; undefined for an event without its words, and where another event names it. */
  named: SourceName | undefined;
  /** The event's position in the log. */
  topic: string;
  partition: number;
  offset: number;
}

/** Names are kept apart from what is billed: an erasure removes them, and changes no row that bills. */
export interface SourceName {
  user: string;
  /** null: it is the user's, of whatever session. */
  session: string | null;
  /** When the event was recorded: Unix milliseconds. */
  at: number;
}

/** How an erasure names a user and a session; `place`: null for a user. */
export const digestsOf = (
  org: string,
  { user, session }: SourceName,
): { owner: string; place: string | null } => ({
  owner: scopeDigest([org, user]),
  place: session === null ? null : scopeDigest([org, user, session]),
});

/**
 * Removes names: those of a user's turns, or of one session's, that come from before `offset` in this
 * partition; and with a user those of its recalls until `at`, since they are in another topic.
 */
export interface UsageForget {
  op: 'forget';
  org: string;
  owner: string;
  place: string | null;
  partition: number;
  offset: number;
  /** Unix milliseconds. */
  at: number;
}

export type UsageWrite = UsageRow | UsageForget;

export const isUsageRow = (write: UsageWrite): write is UsageRow => 'eventId' in write;

export interface BillableEvent {
  id: string;
  type: string;
  org_id: string;
  recorded_at: string;
  tokens?: number | undefined;
  /** The id of its sealing key. */
  keyId?: string | null | undefined;
  /** The id of the API key whose call wrote it. */
  apiKey?: string | undefined;
  /** Undefined when the key is destroyed; such a turn is still billed. */
  data: unknown;
  topic: string;
  partition: number;
  offset: number;
}

/** The source of a turn that isn't sealed: a log has none. */
const NO_KEY = '-';

const nameOfTurn = ({ recorded_at, data }: BillableEvent): SourceName | undefined => {
  if (data === undefined) return undefined;
  const { user_id: user, session_id: session } = data as TurnRecorded;
  return { user, session, at: Date.parse(recorded_at) };
};

/** Folds `turns` and `usage` into billing: every logged turn once, every logged recall once. */
export const projectUsage = (event: BillableEvent): UsageRow[] => {
  const { topic, partition, offset, org_id: org } = event;
  const day = event.recorded_at.slice(0, 10);
  const row = { eventId: event.id, org, day, topic, partition, offset };
  switch (event.type) {
    case 'turn.recorded':
      return event.tokens === undefined
        ? []
        : [
            {
              ...row,
              ...{ tokensIn: event.tokens, tokensOut: 0, source: event.keyId ?? NO_KEY },
              ...{ apiKey: event.apiKey ?? '', named: nameOfTurn(event) },
            },
          ];
    case 'recall.metered': {
      const {
        user_id: user,
        searched,
        api_key: apiKey = '',
        tokens_in,
        tokens_out,
      } = event.data as RecallMetered;
      const own = scopeDigest([org, user]);
      const source = searched ?? own;
      // Another user than the asker is named by what it said.
      const named = source === own ? { user, session: null, at: Date.parse(event.recorded_at) } : undefined;
      return [{ ...row, tokensIn: tokens_in, tokensOut: tokens_out, source, apiKey, named }];
    }
    default:
      return [];
  }
};

/** The same, with what an erasure and an expiry take away: the names. */
export const foldUsage = (event: BillableEvent): UsageWrite[] => {
  const { topic, type, org_id: org, partition, recorded_at, data } = event;
  if (topic !== 'turns' || (type !== 'memory.erased' && type !== 'memory.expired'))
    return projectUsage(event);
  const { owner, session: place } = data as MemoryErased | MemoryExpired;
  // An expiry leaves out what was recorded between the look at the session and this event.
  const offset = type === 'memory.expired' ? (data as MemoryExpired).before : event.offset;
  return [{ op: 'forget', org, owner, place, partition, offset, at: Date.parse(recorded_at) }];
};
