/** Types of the answers, taken from the OpenAPI document. */
import type { components } from './api-types.ts';

type Schemas = components['schemas'];

/** A condition on the metadata of a write, as JSON: `{ key: 'agent_id', eq: 'planner' }`. */
export type Filter = Schemas['Filter'];
export type Role = NonNullable<Schemas['CreateApiKey']['roles']>[number];
export type Remembered = Schemas['Ingested'];
export type Job = Schemas['Job'];
export type Recalled = Schemas['Recalled'];
export type Receipt = Schemas['Receipt'];
export type ReceiptHit = Schemas['ReceiptHit'];
export type Feedback = Schemas['Feedback'];
export type Verdict = Feedback['verdict'];
export type TurnHit = Schemas['TurnHit'];
/** Where the part of a long text is that matters, in code points: `[...all].slice(from, to).join('')`. */
export type TextPart = Schemas['TextPart'];
export type Explanation = Schemas['Explanation'];
export type ObservationHit = Schemas['ObservationHit'];
export type EntityHit = Schemas['EntityHit'];
export type Forgotten = Schemas['Erased'];
export type UsageToday = Schemas['UsageToday'];
export type UsageMonth = Schemas['UsageMonth'];
export type UsageDaily = Schemas['UsageDaily'];
/** Whom or what tokens were billed for: `shares`, and the rest, which together are the sums beside it. */
export type UsageSplit = Schemas['UsageSplit'];
export type UsageStatement = Schemas['UsageStatement'];
export type AuditEntry = Schemas['AuditEntry'];
export type Me = Schemas['Me'];
export type OrganizationDeletion = Schemas['OrganizationDeletion'];
export type Retention = Schemas['Retention'];
export type Screening = Schemas['Screening'];
export type ApiKey = Schemas['ApiKey'];
export type NewApiKey = Schemas['NewApiKey'];
export type Webhook = Schemas['Webhook'];
export type NewWebhook = Schemas['NewWebhook'];
export type WebhookDelivery = Schemas['WebhookDelivery'];
export type WebhookEvent = Webhook['events'][number];
export type User = Schemas['UserItem'];
export type UserDetails = Schemas['UserDetails'];
export type Session = Schemas['SessionItem'];
export type Turn = Schemas['TurnItem'];
export type TurnDetails = Schemas['TurnDetails'];
export type TurnEntity = Schemas['TurnEntity'];
export type Observation = Schemas['ObservationItem'];
export type StatedObservation = Schemas['StatedObservation'];
export type Fact = Schemas['FactItem'];
export type Entity = Schemas['EntityItem'];
/** By what an item was found of a list that was asked for words. */
export type Match = Schemas['Match'];
export type MemoryStats = Schemas['MemoryStats'];
export type TurnEvent = Schemas['TurnEvent'];
export type ObservationEvent = Schemas['ObservationEvent'];

export interface FeedEvent {
  /** Pass it as `after` to continue after this event. */
  position: string;
  /** `data.kind` distinguishes the two. */
  data: TurnEvent | ObservationEvent;
}

/** A fact that was stored: an observation that says an attribute of somebody or something. */
export type FactEvent = Schemas['FactEvent'];
export type ErasedEvent = Schemas['ErasedEvent'];
export type QuotaEvent = Schemas['QuotaEvent'];

/** A message of a webhook. `id` is the same in every attempt: forget one that you have handled. */
export type WebhookMessage = { id: string } & (
  | Schemas['TurnMessage']
  | Schemas['FactMessage']
  | Schemas['ErasedMessage']
  | Schemas['QuotaMessage']
);
