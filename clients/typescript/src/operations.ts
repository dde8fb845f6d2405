/** Generated from the OpenAPI document by `npm run client:generate`: do not edit. */

import type { components } from './api-types.ts';
import { member, type Query, query } from './transport/query.ts';
import type { Request } from './transport/transport.ts';

type Schemas = components['schemas'];

/** Write turns. */
export const ingest = (body: Schemas['Ingest']): Request<Schemas['Ingested']> => ({
  method: 'POST',
  path: '/ingestion/memory',
  body,
});

/** Get the state of a write. */
export const job = (id: string): Request<Schemas['Job']> => ({
  method: 'GET',
  path: `/ingestion/jobs/${member(id)}`,
});

/** Find what was said. */
export const recall = (body: Schemas['Recall']): Request<Schemas['Recalled']> => ({
  method: 'POST',
  path: '/recall',
  body,
});

/** Read what a recall answered. */
export const readReceipt = (id: string): Request<Schemas['Receipt']> => ({
  method: 'GET',
  path: `/recalls/${member(id)}`,
});

/** Say whether a hit was helpful. */
export const giveFeedback = (id: string, body: Schemas['GiveFeedback']): Request<Schemas['Feedback']> => ({
  method: 'POST',
  path: `/recalls/${member(id)}/feedback`,
  body,
});

/** Say something without a turn. */
export const say = (body: Schemas['Say']): Request<Schemas['StatedObservation']> => ({
  method: 'POST',
  path: '/memory/observations',
  body,
});

/** List observations. */
export const listObservations = (asked: Query<'listObservations'>): Request<Schemas['Observations']> => ({
  method: 'GET',
  path: `/memory/observations${query(asked)}`,
});

/** Correct an observation. */
export const correct = (id: string, body: Schemas['Correct']): Request<Schemas['StatedObservation']> => ({
  method: 'PATCH',
  path: `/memory/observations/${member(id)}`,
  body,
});

/** Hide an observation. */
export const retractObservation = (id: string): Request<undefined> => ({
  method: 'DELETE',
  path: `/memory/observations/${member(id)}`,
  isDoneWhenGone: true,
});

/** Hide a turn. */
export const retractTurn = (id: string): Request<undefined> => ({
  method: 'DELETE',
  path: `/memory/turns/${member(id)}`,
  isDoneWhenGone: true,
});

/** Get a turn. */
export const readTurn = (id: string): Request<Schemas['TurnDetails']> => ({
  method: 'GET',
  path: `/memory/turns/${member(id)}`,
});

/** Get a user. */
export const readUser = (id: string): Request<Schemas['UserDetails']> => ({
  method: 'GET',
  path: `/memory/users/${member(id)}`,
});

/** Set a user's own names. */
export const nameUser = (id: string, body: Schemas['NameUser']): Request<Schemas['UserDetails']> => ({
  method: 'PUT',
  path: `/memory/users/${member(id)}`,
  body,
});

/** Correct an entity. */
export const correctEntity = (
  id: string,
  asked: Query<'correctEntity'>,
  body: Schemas['CorrectEntity'],
): Request<Schemas['EntityItem']> => ({
  method: 'PATCH',
  path: `/memory/entities/${member(id)}${query(asked)}`,
  body,
});

/** Title a session. */
export const titleSession = (
  id: string,
  asked: Query<'titleSession'>,
  body: Schemas['TitleSession'],
): Request<Schemas['SessionItem']> => ({
  method: 'PATCH',
  path: `/memory/sessions/${member(id)}${query(asked)}`,
  body,
});

/** Erase a user or a session. */
export const erase = (asked: Query<'erase'>): Request<Schemas['Erased']> => ({
  method: 'DELETE',
  path: `/memory${query(asked)}`,
});

/** List users. */
export const listUsers = (asked: Query<'listUsers'>): Request<Schemas['Users']> => ({
  method: 'GET',
  path: `/memory/users${query(asked)}`,
});

/** List sessions. */
export const listSessions = (asked: Query<'listSessions'>): Request<Schemas['Sessions']> => ({
  method: 'GET',
  path: `/memory/sessions${query(asked)}`,
});

/** List turns. */
export const listTurns = (asked: Query<'listTurns'>): Request<Schemas['Turns']> => ({
  method: 'GET',
  path: `/memory/turns${query(asked)}`,
});

/** List what holds. */
export const listFacts = (asked: Query<'listFacts'>): Request<Schemas['Facts']> => ({
  method: 'GET',
  path: `/memory/facts${query(asked)}`,
});

/** List entities. */
export const listEntities = (asked: Query<'listEntities'>): Request<Schemas['Entities']> => ({
  method: 'GET',
  path: `/memory/entities${query(asked)}`,
});

/** Count turns, facts and recalls by day. */
export const readStats = (asked: Query<'readStats'>): Request<Schemas['MemoryStats']> => ({
  method: 'GET',
  path: `/memory/stats${query(asked)}`,
});

/** Usage of the current UTC day. */
export const usageToday = (asked: Query<'usageToday'>): Request<Schemas['UsageToday']> => ({
  method: 'GET',
  path: `/usage/today${query(asked)}`,
});

/** Usage of a calendar month in UTC. */
export const usageMonth = (asked: Query<'usageMonth'>): Request<Schemas['UsageMonth']> => ({
  method: 'GET',
  path: `/usage/summary${query(asked)}`,
});

/** Usage of each UTC day of a month. */
export const usageDaily = (asked: Query<'usageDaily'>): Request<Schemas['UsageDaily']> => ({
  method: 'GET',
  path: `/usage/daily${query(asked)}`,
});

/** The signed statement of a month. */
export const usageStatement = (asked: Query<'usageStatement'>): Request<Schemas['UsageStatement']> => ({
  method: 'GET',
  path: `/usage/statement${query(asked)}`,
});

/** Get the key's organization, user and roles. */
export const me = (): Request<Schemas['Me']> => ({
  method: 'GET',
  path: '/me',
});

/** Get the organization's retention. */
export const retention = (): Request<Schemas['Retention']> => ({
  method: 'GET',
  path: '/me/retention',
});

/** Set the organization's retention. */
export const setRetention = (body: Schemas['SetRetention']): Request<Schemas['Retention']> => ({
  method: 'PUT',
  path: '/me/retention',
  body,
});

/** Get what is screened. */
export const screening = (): Request<Schemas['Screening']> => ({
  method: 'GET',
  path: '/me/screening',
});

/** Set what is screened. */
export const setScreening = (body: Schemas['SetScreening']): Request<Schemas['Screening']> => ({
  method: 'PUT',
  path: '/me/screening',
  body,
});

/** Get the state of the organization's deletion. */
export const deletion = (): Request<Schemas['OrganizationDeletion']> => ({
  method: 'GET',
  path: '/me/deletion',
});

/** Ask for the deletion of the organization. */
export const askDeletion = (
  body: Schemas['NamedOrganization'],
): Request<Schemas['OrganizationDeletion']> => ({
  method: 'PUT',
  path: '/me/deletion',
  body,
});

/** Take the deletion of the organization back. */
export const withdrawDeletion = (): Request<Schemas['OrganizationDeletion']> => ({
  method: 'DELETE',
  path: '/me/deletion',
});

/** Confirm the deletion of the organization. */
export const confirmDeletion = (
  body: Schemas['NamedOrganization'],
): Request<Schemas['OrganizationDeletion']> => ({
  method: 'POST',
  path: '/me/deletion/confirmation',
  body,
});

/** List API keys. */
export const listApiKeys = (): Request<Schemas['ApiKeys']> => ({
  method: 'GET',
  path: '/me/api-keys',
});

/** Create an API key. */
export const createApiKey = (body: Schemas['CreateApiKey']): Request<Schemas['NewApiKey']> => ({
  method: 'POST',
  path: '/me/api-keys',
  body,
  isRepeatable: false,
});

/** Rotate an API key. */
export const rotateApiKey = (id: string, body: Schemas['RotateApiKey']): Request<Schemas['NewApiKey']> => ({
  method: 'POST',
  path: `/me/api-keys/${member(id)}/rotate`,
  body,
  isRepeatable: false,
});

/** Revoke an API key. */
export const revokeApiKey = (id: string): Request<undefined> => ({
  method: 'DELETE',
  path: `/me/api-keys/${member(id)}`,
  isDoneWhenGone: true,
});

/** List webhooks. */
export const listWebhooks = (): Request<Schemas['Webhooks']> => ({
  method: 'GET',
  path: '/me/webhooks',
});

/** Create a webhook. */
export const createWebhook = (body: Schemas['CreateWebhook']): Request<Schemas['NewWebhook']> => ({
  method: 'POST',
  path: '/me/webhooks',
  body,
  isRepeatable: false,
});

/** Delete a webhook. */
export const deleteWebhook = (id: string): Request<undefined> => ({
  method: 'DELETE',
  path: `/me/webhooks/${member(id)}`,
  isDoneWhenGone: true,
});

/** List the last deliveries of a webhook. */
export const listWebhookDeliveries = (id: string): Request<Schemas['WebhookDeliveries']> => ({
  method: 'GET',
  path: `/me/webhooks/${member(id)}/deliveries`,
});

/** Resume a webhook. */
export const resumeWebhook = (id: string): Request<Schemas['Webhook']> => ({
  method: 'POST',
  path: `/me/webhooks/${member(id)}/resume`,
});

/** Read the audit log. */
export const readAudit = (asked: Query<'readAudit'>): Request<Schemas['AuditPage']> => ({
  method: 'GET',
  path: `/audit${query(asked)}`,
});
