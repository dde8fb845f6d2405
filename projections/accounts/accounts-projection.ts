import type {
  AccountEvent,
  ApiKeyCreated,
  Began,
  KeyRecord,
  OrgLimitsChanged,
  RefreshTokenRotated,
} from '../../schemas/events/accounts.ts';
import type { ScreenChoice } from '../../schemas/screening.ts';
import { type Deletion, foldDeletion, MOST_CHANGES, removedDocument } from './deletion.ts';
import { type Retention, withRetention } from './retention.ts';
import { foldWebhook, type WebhookDocument } from './webhooks.ts';

export type { AccountEvent } from '../../schemas/events/accounts.ts';

export interface OwnLimitsDocument extends OrgLimitsChanged {
  changed_at: string;
  /** The ids of the last events that changed them, in the log's order. */
  changes: readonly string[];
}

export interface OrganizationDocument {
  org_id: string;
  name: string | null;
  email: string | null;
  /** RFC 3339, UTC, milliseconds, like all times here. */
  created_at: string;
  /** The organization's own caps and budgets; null: the configured ones apply. */
  limits: OwnLimitsDocument | null;
  /** Absent: its events may be anywhere in the log. */
  began: Began;
  /** Present: an open sign-up that has written nothing, and its only key. It is removed when that lasts. */
  unused?: { key_id: string };
  /** Present: it was removed, and nothing but its id is left. */
  pruned_at?: string;
  /** Present: its deletion was confirmed, and what it stored is being erased. The event that asked for it. */
  erasing?: string;
  /** Absent: nobody ever asked for its deletion. */
  deletion?: Deletion;
  /** Absent: it never had one, and keeps everything. */
  retention?: Retention;
  /** Absent: it never set one, and the installation decides. */
  screening?: { set: ScreenChoice; changes: readonly string[] };
}

export interface ApiKeyDocument extends KeyRecord {
  org_id: string;
  /** Absent unless the key is strict. */
  strict?: true;
  /** Absent: it does not expire. */
  expires_at?: string;
  /** Absent: it works from any address. */
  addresses?: string[];
  created_at: string;
  last_used_at: string | null;
  revoked_at: string | null;
  /** Absent unless another key took its place, until it expires. */
  rotated_to?: string;
}

/** Keyed by the used token's `jti`. */
export interface RotationDocument extends RefreshTokenRotated {
  org_id: string;
  rotated_at: string;
  /** When an answer with the successor was first written out whole; absent: none is known to have arrived. */
  delivered_at?: string;
}

/** A revoked family of refresh tokens; a family without a document is valid. */
export interface FamilyDocument {
  family_id: string;
  org_id: string;
  revoked_at: string;
}

export interface AccountDocuments {
  organization: OrganizationDocument;
  api_key: ApiKeyDocument;
  rotation: RotationDocument;
  family: FamilyDocument;
  webhook: WebhookDocument;
}

/** The first use of a refresh token. */
export type RotationEvent = Extract<AccountEvent, { type: 'refresh_token.rotated' }>;

export type AccountKind = keyof AccountDocuments;

/** A whole document to store under (kind, id). */
export type AccountState = {
  [Kind in AccountKind]: { kind: Kind; id: string; org: string; document: AccountDocuments[Kind] };
}[AccountKind];

export type GetDocument = <Kind extends AccountKind>(
  kind: Kind,
  id: string,
) => AccountDocuments[Kind] | undefined;

const newKey = (
  org: string,
  { strict, expires_at, addresses, ...record }: KeyRecord & Partial<ApiKeyCreated>,
  created_at: string,
): AccountState => ({
  kind: 'api_key',
  id: record.key_id,
  org,
  document: {
    ...record,
    org_id: org,
    ...(strict ? { strict } : {}),
    ...(expires_at ? { expires_at } : {}),
    ...(addresses ? { addresses } : {}),
    created_at,
    last_used_at: null,
    revoked_at: null,
  },
});

export const rotationOf = ({ data, org_id, recorded_at }: RotationEvent): RotationDocument => ({
  ...data,
  org_id,
  rotated_at: recorded_at,
});

/**
 * Folds `accounts` into the documents that an event writes. Applying an event twice changes nothing: the
 * first event with an id wins. What an operator or an owner changes follows the log's order, whatever their
 * clocks said; uses and revocations are ordered by time. References to objects that no event created
 * are ignored.
 */
export const foldAccount = (get: GetDocument, event: AccountEvent): AccountState[] => {
  const { org_id: org, recorded_at: at } = event;

  const living = (): OrganizationDocument | undefined => {
    const found = get('organization', org);
    return found?.pruned_at === undefined ? found : undefined;
  };
  const keyOf = (id: string): ApiKeyDocument | undefined => {
    const key = get('api_key', id);
    return key?.org_id === org ? key : undefined;
  };

  switch (event.type) {
    case 'org.signed_up': {
      if (get('organization', org)) return [];
      const { name, email, key, began, open } = event.data;
      const unused = open && { unused: { key_id: key.key_id } };
      const document = { org_id: org, name, email, created_at: at, limits: null, began, ...unused };
      return [{ kind: 'organization', id: org, org, document }, newKey(org, key, at)];
    }
    case 'org.wrote': {
      const found = living();
      if (!found?.unused) return [];
      const { unused: _, ...document } = found;
      return [{ kind: 'organization', id: org, org, document }];
    }
    case 'org.pruned': {
      const found = living();
      // It has written meanwhile: the log has the order.
      if (!found?.unused) return [];
      const key = keyOf(event.data.key_id);
      const document = removedDocument(found, at);
      const pruned: AccountState = { kind: 'organization', id: org, org, document };
      return key && !key.revoked_at
        ? [pruned, { kind: 'api_key', id: key.key_id, org, document: { ...key, revoked_at: at } }]
        : [pruned];
    }
    case 'org.limits_changed': {
      const organization = living();
      const changes = organization?.limits?.changes ?? [];
      if (!organization || changes.includes(event.id)) return [];
      const { tokens_in, tokens_out, names, retractions, erasures, expiries } = event.data;
      const limits = {
        ...{ tokens_in, tokens_out, names, retractions, erasures, changed_at: at },
        changes: [...changes, event.id].slice(-MOST_CHANGES),
        ...(expiries !== undefined && { expiries }),
      };
      const document = { ...organization, limits };
      return [{ kind: 'organization', id: org, org, document }];
    }
    case 'org.retention_changed': {
      const organization = living();
      if (!organization) return [];
      const change = { id: event.id, days: event.data.days, at };
      const retention = withRetention(organization.retention, change);
      return [{ kind: 'organization', id: org, org, document: { ...organization, retention } }];
    }
    case 'org.screening_changed': {
      const organization = living();
      const changes = organization?.screening?.changes ?? [];
      if (!organization || changes.includes(event.id)) return [];
      const screening = {
        set: event.data.screen,
        changes: [...changes, event.id].slice(-MOST_CHANGES),
      };
      return [{ kind: 'organization', id: org, org, document: { ...organization, screening } }];
    }
    case 'org.deletion_asked':
    case 'org.deletion_withdrawn':
    case 'org.deleted':
    case 'org.emptied': {
      const document = foldDeletion(get('organization', org), event);
      return document ? [{ kind: 'organization', id: org, org, document }] : [];
    }
    case 'api_key.created':
      return get('api_key', event.data.key_id) ? [] : [newKey(org, event.data, at)];
    case 'api_key.revoked': {
      const key = keyOf(event.data.key_id);
      if (!key || key.revoked_at) return [];
      return [{ kind: 'api_key', id: key.key_id, org, document: { ...key, revoked_at: at } }];
    }
    case 'api_key.retired': {
      const { key_id, rotated_to, until } = event.data;
      const key = keyOf(key_id);
      if (!key || key.revoked_at || key.rotated_to !== undefined) return [];
      // RFC 3339 in UTC sorts by time. It may have ended sooner.
      const expires_at = [key.expires_at ?? until, until].sort()[0]!;
      return [{ kind: 'api_key', id: key_id, org, document: { ...key, expires_at, rotated_to } }];
    }
    case 'api_key.used': {
      const key = keyOf(event.data.key_id);
      if (!key || (key.last_used_at ?? '') >= at) return [];
      return [{ kind: 'api_key', id: key.key_id, org, document: { ...key, last_used_at: at } }];
    }
    case 'refresh_token.rotated': {
      const id = event.data.token_id;
      if (get('rotation', id)) return [];
      return [{ kind: 'rotation', id, org, document: rotationOf(event) }];
    }
    case 'refresh_token.delivered': {
      const id = event.data.token_id;
      const rotation = get('rotation', id);
      if (rotation?.org_id !== org || rotation.delivered_at) return [];
      return [{ kind: 'rotation', id, org, document: { ...rotation, delivered_at: at } }];
    }
    case 'refresh_family.revoked': {
      const id = event.data.family_id;
      if (get('family', id)) return [];
      return [{ kind: 'family', id, org, document: { family_id: id, org_id: org, revoked_at: at } }];
    }
    case 'webhook.created':
    case 'webhook.moved':
    case 'webhook.noticed':
    case 'webhook.deleted': {
      const id = event.data.webhook_id;
      const document = foldWebhook(get('webhook', id), event);
      return document ? [{ kind: 'webhook', id, org, document }] : [];
    }
  }
};
