/** Events of the topic `accounts`: plain, keyed by organization. They contain hashes, never a secret. */
import { SCREEN_CHOICES, type ScreenChoice } from '../screening.ts';
import {
  deletionEventSchemas,
  type OrgDeleted,
  type OrgDeletionAsked,
  type OrgDeletionWithdrawn,
  type OrgEmptied,
} from './deletion.ts';
import {
  type WebhookCreated,
  type WebhookDeleted,
  type WebhookMoved,
  type WebhookNoticed,
  webhookEventSchemas,
} from './webhooks.ts';

interface EventOf<Type extends string, Data> {
  /** Derived from something that can happen only once; the first event with an id wins. */
  id: string;
  type: Type;
  version: 1;
  org_id: string;
  /** RFC 3339, UTC, milliseconds. */
  recorded_at: string;
  correlation_id: string;
  data: Data;
}

/** The stored form of an API key. */
export interface KeyRecord {
  key_id: string;
  name: string;
  /** The key's public prefix, by which people recognize it. */
  prefix: string;
  /** SHA-256 of the random 256-bit secret, hex. */
  secret_hash: string;
  roles: string[];
  user_id: string;
  session_id: string | null;
}

/** A key as its creation is recorded. */
export interface ApiKeyCreated extends KeyRecord {
  /** Whether user and session are bounds; otherwise they are defaults. */
  strict: boolean;
  /** RFC 3339, UTC, milliseconds; null: it does not expire. */
  expires_at: string | null;
  /** The addresses and ranges of addresses that it works from; null: any. */
  addresses: string[] | null;
}

/**
 * Recorded once per organization. Includes the first key, so that no crash leaves an organization without
 * one.
 */
export interface OrgSignedUp {
  name: string | null;
  email: string | null;
  key: KeyRecord;
  began: Began;
  /** Nobody but the caller made it: it is removed if it never writes. Absent: an operator did. */
  open?: true;
}

/** An open sign-up is about to write for the first time: from here on it is never removed. Recorded once. */
export type OrgWrote = Record<never, never>;

/** An open sign-up that had written nothing was removed. Recorded once. */
export interface OrgPruned {
  /** Its only key. */
  key_id: string;
}

/**
 * The log's ends before the sign-up: by topic, the next offset of each partition. All of its events come
 * after them.
 */
export interface Began {
  turns: number[];
  observations: number[];
  usage: number[];
}

/** Caps per UTC day, and budgets of what isn't billed; 0: no cap. */
export interface OrgLimitsChanged {
  tokens_in: number;
  tokens_out: number;
  names: number;
  retractions: number;
  erasures: number;
  /** The percentage of its sessions that may expire a day; absent: as configured. */
  expiries?: number;
}

/**
 * How many days an organization keeps what has no expiry of its own; null: for ever. In force a day after it
 * was set.
 */
export interface OrgRetentionChanged {
  days: number | null;
}

/** An organization's choice of what is screened, from its next call on. */
export interface OrgScreeningChanged {
  screen: ScreenChoice;
}

/** Recorded once per key. */
export interface ApiKeyRevoked {
  key_id: string;
}

/** Another key took its place; until then both work. Recorded once per key. */
export interface ApiKeyRetired {
  key_id: string;
  /** The key that took its place. */
  rotated_to: string;
  /** RFC 3339, UTC, milliseconds. */
  until: string;
}

/** Recorded at most once per key and minute. */
export interface ApiKeyUsed {
  key_id: string;
}

/**
 * A refresh token was used; recorded once per token. Contains everything that is needed to rebuild the
 * identical successor.
 */
export interface RefreshTokenRotated {
  /** `jti` of the used token. */
  token_id: string;
  family_id: string;
  key_id: string;
  /** `jti` of its successor. */
  successor_id: string;
  /** The successor's time of issue, in Unix seconds. */
  issued_at: number;
  expires_at: number;
  /** The key that signed the successor. */
  signing_key: string;
}

/** The answer with a used token's successor was written out whole. Recorded once per used token. */
export interface RefreshTokenDelivered {
  /** `jti` of the used token. */
  token_id: string;
}

/**
 * A used token was presented too late; all refresh tokens of its family are revoked. Recorded once per
 * family.
 */
export interface RefreshFamilyRevoked {
  family_id: string;
}

export type AccountEvent =
  | EventOf<'org.signed_up', OrgSignedUp>
  | EventOf<'org.wrote', OrgWrote>
  | EventOf<'org.pruned', OrgPruned>
  | EventOf<'org.limits_changed', OrgLimitsChanged>
  | EventOf<'org.retention_changed', OrgRetentionChanged>
  | EventOf<'org.screening_changed', OrgScreeningChanged>
  | EventOf<'org.deletion_asked', OrgDeletionAsked>
  | EventOf<'org.deletion_withdrawn', OrgDeletionWithdrawn>
  | EventOf<'org.deleted', OrgDeleted>
  | EventOf<'org.emptied', OrgEmptied>
  | EventOf<'api_key.created', ApiKeyCreated>
  | EventOf<'api_key.revoked', ApiKeyRevoked>
  | EventOf<'api_key.retired', ApiKeyRetired>
  | EventOf<'api_key.used', ApiKeyUsed>
  | EventOf<'refresh_token.rotated', RefreshTokenRotated>
  | EventOf<'refresh_token.delivered', RefreshTokenDelivered>
  | EventOf<'refresh_family.revoked', RefreshFamilyRevoked>
  | EventOf<'webhook.created', WebhookCreated>
  | EventOf<'webhook.moved', WebhookMoved>
  | EventOf<'webhook.noticed', WebhookNoticed>
  | EventOf<'webhook.deleted', WebhookDeleted>;

const string = { type: 'string', minLength: 1 } as const;
const optional = { type: ['string', 'null'] } as const;
const seconds = { type: 'integer', minimum: 0 } as const;
const offsets = { type: 'array', items: { type: 'integer', minimum: 0 } } as const;
const tokens = { type: 'integer', minimum: 0 } as const;

/** A schema in which all properties are required but the optional ones. */
const object = (properties: Record<string, object>, optional: Record<string, object> = {}) => ({
  type: 'object',
  required: Object.keys(properties),
  properties: { ...properties, ...optional },
});

const keyRecord = {
  key_id: string,
  name: string,
  prefix: string,
  secret_hash: { type: 'string', pattern: '^[0-9a-f]{64}$' },
  // None: an identity's, whose roles come with each of its sign-ins.
  roles: { type: 'array', items: string },
  user_id: string,
  session_id: optional,
};

/** The schema of the newest version of each type. */
export const accountEventSchemas: Record<AccountEvent['type'], object> = {
  'org.signed_up': object(
    {
      name: optional,
      email: optional,
      key: object(keyRecord),
      began: object({ turns: offsets, observations: offsets, usage: offsets }),
    },
    { open: { const: true } },
  ),
  'org.wrote': object({}),
  'org.pruned': object({ key_id: string }),
  'org.limits_changed': object(
    { tokens_in: tokens, tokens_out: tokens, names: tokens, retractions: tokens, erasures: tokens },
    { expiries: { type: 'integer', minimum: 0, maximum: 100 } },
  ),
  'org.retention_changed': object({ days: { type: ['integer', 'null'], minimum: 1, maximum: 36_500 } }),
  'org.screening_changed': object({ screen: { enum: SCREEN_CHOICES } }),
  ...deletionEventSchemas,
  'api_key.created': object({
    ...keyRecord,
    strict: { type: 'boolean' },
    expires_at: optional,
    addresses: { type: ['array', 'null'], minItems: 1, items: string },
  }),
  'api_key.revoked': object({ key_id: string }),
  'api_key.retired': object({ key_id: string, rotated_to: string, until: string }),
  'api_key.used': object({ key_id: string }),
  'refresh_token.rotated': object({
    token_id: string,
    family_id: string,
    key_id: string,
    successor_id: string,
    issued_at: seconds,
    expires_at: seconds,
    signing_key: string,
  }),
  'refresh_token.delivered': object({ token_id: string }),
  'refresh_family.revoked': object({ family_id: string }),
  ...webhookEventSchemas,
};
