/** The service's answers, with types generated from its OpenAPI document. */
import type { components } from '../../../clients/typescript/src/api-types.ts';
import type { Role } from '../../../schemas/http/parts/roles.ts';

type Schemas = components['schemas'];

/** Without a refresh token: of an identity provider, which is asked again. */
export type Tokens = Pick<Schemas['Tokens'], 'access_token'> &
  Partial<Pick<Schemas['Tokens'], 'refresh_token'>>;
export type IdentityProvider = Schemas['IdentityProviders']['providers'][number];
export type UsageToday = Schemas['UsageToday'];
export type UsageDaily = Schemas['UsageDaily'];
export type UsageMonth = Schemas['UsageMonth'];
export type UsageSplit = Schemas['UsageSplit'];
export type UsageShare = Schemas['UsageShare'];
export type UsageStatement = Schemas['UsageStatement'];
export type UsageDay = UsageDaily['days'][number];
export type Readiness = Schemas['Readiness'];
export type Retention = Schemas['Retention'];
export type Stats = Schemas['MemoryStats'];
export type Me = Omit<Schemas['Me'], 'roles'> & { roles: Role[] };

/** A page of a list; its items are under `Name`. */
export type Page<Name extends string, Item> = { [name in Name]: Item[] } & { next_cursor: string | null };
export type UserItem = Schemas['UserItem'];
export type SessionItem = Schemas['SessionItem'];
export type TurnItem = Schemas['TurnItem'];
export type TurnDetails = Schemas['TurnDetails'];
export type ObservationItem = Schemas['ObservationItem'];
export type StatedObservation = Schemas['StatedObservation'];
export type UserDetails = Schemas['UserDetails'];
export type FactItem = Schemas['FactItem'];
export type EntityItem = Schemas['EntityItem'];
export type Source = ObservationItem['source'];

export type Explanation = Schemas['Explanation'];
export type Aspect = Explanation['parts'][number]['aspect'];
export type TurnHit = Schemas['TurnHit'];
export type ObservationHit = Schemas['ObservationHit'];
export type EntityHit = Schemas['EntityHit'];
export type Hit = TurnHit | ObservationHit | EntityHit;
export type Recalled = Schemas['Recalled'];
export type Receipt = Schemas['Receipt'];
export type Feedback = Schemas['Feedback'];
export type Erased = Schemas['Erased'];

export type AuditPage = Schemas['AuditPage'];
export type AuditEntry = AuditPage['entries'][number];
export type Screening = Schemas['Screening'];
export type TurnEvent = Schemas['TurnEvent'];
export type ObservationEvent = Schemas['ObservationEvent'];

export type Webhook = Schemas['Webhook'];
/** `secret` is sent only once. */
export type NewWebhook = Schemas['NewWebhook'];
export type WebhookDelivery = Schemas['WebhookDelivery'];

export type ApiKey = Omit<Schemas['ApiKey'], 'roles'> & { roles: Role[] };
/** `api_key` is the secret, sent only once. */
export type NewApiKey = ApiKey & Pick<Schemas['NewApiKey'], 'api_key'>;
