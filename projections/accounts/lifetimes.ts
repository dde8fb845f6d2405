import type { AccountEvent, AccountKind, AccountState, ApiKeyDocument } from './accounts-projection.ts';

/** Lifetime of a refresh token in seconds. */
export const REFRESH_SECONDS = 7 * 24 * 60 * 60;

/**
 * How much longer than until its end anything is kept, in milliseconds: none of our clocks is wrong by a day.
 */
export const CLOCK_SLACK_MS = 24 * 60 * 60 * 1_000;

/** When the last token that was issued before this moment has expired. */
const endOfTokens = (revokedAt: string): number => Date.parse(revokedAt) + REFRESH_SECONDS * 1_000;

/** When the last token of a key that is revoked or expires has expired; Unix milliseconds. */
const endOfKey = ({ revoked_at, expires_at }: ApiKeyDocument): number | undefined => {
  const [first] = [revoked_at, expires_at].filter(end => typeof end === 'string').sort();
  return first === undefined ? undefined : endOfTokens(first);
};

/** When the document's tokens have expired, so that no answer needs it any more; Unix milliseconds. */
export const endOfDocument = ({ kind, document }: AccountState): number | undefined => {
  switch (kind) {
    case 'rotation':
      return document.expires_at * 1_000;
    case 'family':
      return endOfTokens(document.revoked_at);
    case 'api_key':
      return endOfKey(document);
    case 'organization':
      // While anything of it is left to erase, every process must know that it is gone.
      if (document.pruned_at === undefined || document.erasing !== undefined) return undefined;
      return endOfTokens(document.pruned_at);
    case 'webhook':
      return document.deleted_at === undefined ? undefined : Date.parse(document.deleted_at);
    default:
      return undefined;
  }
};

/** From when on no event with this id can be recorded again; Unix milliseconds. */
export const endOfEvent = (event: AccountEvent): number | undefined => {
  switch (event.type) {
    case 'refresh_token.rotated':
      return event.data.expires_at * 1_000;
    case 'refresh_family.revoked':
      return endOfTokens(event.recorded_at);
    // Folded again, they change nothing while their document is kept; and after it, a key is revoked again.
    case 'api_key.created':
    case 'api_key.revoked':
    case 'api_key.retired':
    case 'api_key.used':
    case 'refresh_token.delivered':
    case 'org.wrote':
    case 'org.pruned':
    case 'org.deletion_withdrawn':
    case 'org.deleted':
    case 'org.emptied':
    // Moves have numbers, notices are remembered for a while, and a webhook is deleted again.
    case 'webhook.created':
    case 'webhook.moved':
    case 'webhook.noticed':
    case 'webhook.deleted':
      return Date.parse(event.recorded_at);
    default:
      return undefined;
  }
};

/** When nothing that the event writes is needed any more; undefined: never. Unix milliseconds. */
const endOfEffect = (event: AccountEvent): number | undefined => {
  switch (event.type) {
    case 'refresh_token.rotated':
      return event.data.expires_at * 1_000;
    // A delivery is noted while the token that was rotated is valid.
    case 'refresh_token.delivered':
    case 'refresh_family.revoked':
      return endOfTokens(event.recorded_at);
    default:
      return undefined;
  }
};

/** Whether anything that the event writes may still be needed. `now`: Unix milliseconds. */
export const hasEffect = (event: AccountEvent, now: number): boolean =>
  (endOfEffect(event) ?? Infinity) + CLOCK_SLACK_MS > now;

/** The documents that the fold of an event reads or writes. */
export const touchedBy = (event: AccountEvent): { kind: AccountKind; id: string }[] => {
  switch (event.type) {
    case 'org.signed_up':
      return [
        { kind: 'organization', id: event.org_id },
        { kind: 'api_key', id: event.data.key.key_id },
      ];
    case 'org.pruned':
      return [
        { kind: 'organization', id: event.org_id },
        { kind: 'api_key', id: event.data.key_id },
      ];
    case 'org.wrote':
    case 'org.limits_changed':
    case 'org.retention_changed':
    case 'org.screening_changed':
    case 'org.deletion_asked':
    case 'org.deletion_withdrawn':
    case 'org.deleted':
    case 'org.emptied':
      return [{ kind: 'organization', id: event.org_id }];
    case 'api_key.created':
    case 'api_key.revoked':
    case 'api_key.retired':
    case 'api_key.used':
      return [{ kind: 'api_key', id: event.data.key_id }];
    case 'refresh_token.rotated':
    case 'refresh_token.delivered':
      return [{ kind: 'rotation', id: event.data.token_id }];
    case 'refresh_family.revoked':
      return [{ kind: 'family', id: event.data.family_id }];
    case 'webhook.created':
    case 'webhook.moved':
    case 'webhook.noticed':
    case 'webhook.deleted':
      return [{ kind: 'webhook', id: event.data.webhook_id }];
  }
};
