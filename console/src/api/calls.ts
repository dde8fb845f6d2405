/** The calls that the console makes, each with its types. */
import type { CreateKeyBody } from '../../../schemas/http/api-keys.ts';
import type { CorrectBody } from '../../../schemas/http/curation.ts';
import type { CorrectEntity } from '../../../schemas/http/names.ts';
import type { RecallBody } from '../../../schemas/http/recall.ts';
import { ApiError } from './error.ts';
import { endIfRevoked, request, requestOpen, requestReadiness, requestText } from './request.ts';
import { beginSession } from './session.ts';
import type {
  ApiKey,
  EntityItem,
  FactItem,
  Me,
  NewApiKey,
  Page,
  Readiness,
  Recalled,
  Retention,
  Screening,
  SessionItem,
  StatedObservation,
  Tokens,
  TurnDetails,
  TurnItem,
  UsageDaily,
  UsageMonth,
  UsageSplit,
  UsageStatement,
  UsageToday,
  UserItem,
} from './types.ts';

export const signIn = async (apiKey: string): Promise<void> =>
  beginSession(
    await requestOpen<Tokens>('/auth/token-exchange', { method: 'POST', body: { api_key: apiKey } }),
  );

export const me = (signal?: AbortSignal) => request<Me>('/me', { signal });

export const retention = (signal?: AbortSignal) => request<Retention>('/me/retention', { signal });
/** `days`: null keeps everything for ever. A change takes effect a day later. */
export const setRetention = (days: number | null) =>
  request<Retention>('/me/retention', { method: 'PUT', body: { days } });

export const screening = (signal?: AbortSignal) => request<Screening>('/me/screening', { signal });
/** `default`: as the installation does. In force at once, for what is sent from then on. */
export const setScreening = (screen: 'default' | 'secrets' | 'off') =>
  request<Screening>('/me/screening', { method: 'PUT', body: { screen } });

/** The most that the service splits by. */
const MOST_SHARES = 1_000;

export const usageToday = (signal?: AbortSignal) => request<UsageToday>('/usage/today', { signal });
/** `month`: YYYY-MM. */
export const usageDaily = (month: string, signal?: AbortSignal) =>
  request<UsageDaily>('/usage/daily', { query: { month }, signal });
/** `month`: YYYY-MM. */
export const usageMonth = (month: string, by: UsageSplit['by'], signal?: AbortSignal) =>
  request<UsageMonth>('/usage/summary', { query: { month, by, limit: MOST_SHARES }, signal });
/** Returns the split of each day of a month. */
export const usageDays = (month: string, by: UsageSplit['by'], signal?: AbortSignal) =>
  request<UsageDaily>('/usage/daily', { query: { month, by, limit: MOST_SHARES }, signal });
/** `month`: YYYY-MM of a month that is over. */
export const usageStatement = (month: string) =>
  request<UsageStatement>('/usage/statement', { query: { month } });
/** A service that is not ready reports its engines as well. */
export const readiness = (signal?: AbortSignal) =>
  requestReadiness<Readiness>('/readyz', { signal }, 'engines');
/** Returns the metrics in the text format of Prometheus. */
export const metrics = (signal?: AbortSignal) => requestText('/metrics', signal);

interface PageQuery {
  limit?: number;
  cursor?: string | undefined;
}

interface NamedQuery extends PageQuery {
  sort?: 'id' | 'last_at';
  /** Words: the items that have them, the best match first, whatever the sort. */
  q?: string;
}

export const users = (query: NamedQuery, signal?: AbortSignal) =>
  request<Page<'users', UserItem>>('/memory/users', { query: { ...query }, signal });
export const sessions = (query: NamedQuery & { user_id?: string }, signal?: AbortSignal) =>
  request<Page<'sessions', SessionItem>>('/memory/sessions', { query: { ...query }, signal });

export interface TurnsQuery extends PageQuery {
  user_id: string;
  session_id: string;
  since?: string;
  until?: string;
  order?: 'asc' | 'desc';
}
export const turns = (query: TurnsQuery, signal?: AbortSignal) =>
  request<Page<'turns', TurnItem>>('/memory/turns', { query: { ...query }, signal });
/**
 * Returns a turn that a fact or a link names; undefined if it was never stored (`write_active: false`) or has
 * been erased or hidden.
 */
export const turnIfKept = (id: string, signal?: AbortSignal): Promise<TurnDetails | undefined> =>
  request<TurnDetails>(`/memory/turns/${encodeURIComponent(id)}`, { signal }).catch(error => {
    if (error instanceof ApiError && error.status === 404) return undefined;
    throw error;
  });

/** Hides a turn from every answer, with its facts and names. */
export const hideTurn = (id: string) =>
  request<void>(`/memory/turns/${encodeURIComponent(id)}`, { method: 'DELETE' });
/** Hides one observation or fact; its turn stays. */
export const hideObservation = (id: string) =>
  request<void>(`/memory/observations/${encodeURIComponent(id)}`, { method: 'DELETE' });

/** Corrects an observation or fact; resolves with the corrected statement. */
export const correctObservation = (id: string, body: CorrectBody) =>
  request<StatedObservation>(`/memory/observations/${encodeURIComponent(id)}`, { method: 'PATCH', body });

export interface FactsQuery extends PageQuery {
  user_id: string;
  subject?: string | undefined;
  /** Returns only facts with this value: a label or an entity's id. */
  value?: string | undefined;
  holds: 'now' | 'ever';
}
export const facts = (query: FactsQuery, signal?: AbortSignal) =>
  request<Page<'facts', FactItem>>('/memory/facts', { query: { ...query }, signal });
export const entities = (query: PageQuery & { user_id: string }, signal?: AbortSignal) =>
  request<Page<'entities', EntityItem>>('/memory/entities', { query: { ...query }, signal });

/** Renames an entity, merges it, or splits names off it; resolves with the resulting entity. */
export const correctEntity = ({ id, user_id }: Pick<EntityItem, 'id' | 'user_id'>, body: CorrectEntity) =>
  request<EntityItem>(`/memory/entities/${encodeURIComponent(id)}`, {
    method: 'PATCH',
    query: { user_id },
    body,
  });

/** Sets a session's title, or removes it (empty); resolves with the session's new entry in the list. */
export const titleSession = (
  { session_id, user_id }: Pick<SessionItem, 'session_id' | 'user_id'>,
  title: string,
) =>
  request<SessionItem>(`/memory/sessions/${encodeURIComponent(session_id)}`, {
    method: 'PATCH',
    query: { user_id },
    body: { title },
  });

export const recall = (body: RecallBody, signal?: AbortSignal) =>
  request<Recalled>('/recall', { method: 'POST', body, signal });

export const apiKeys = async (signal?: AbortSignal) =>
  (await request<{ api_keys: ApiKey[] }>('/me/api-keys', { signal })).api_keys;
export const createApiKey = (body: CreateKeyBody) =>
  request<NewApiKey>('/me/api-keys', { method: 'POST', body });
/** Makes a key with the rights of another, which works for `graceSeconds` more. */
export const rotateApiKey = (id: string, graceSeconds: number) =>
  request<NewApiKey>(`/me/api-keys/${encodeURIComponent(id)}/rotate`, {
    method: 'POST',
    body: { grace_seconds: graceSeconds },
  });
/** Revokes a key; signs out if it was the key of this session. */
export const revokeApiKey = async (id: string): Promise<void> => {
  await request<void>(`/me/api-keys/${encodeURIComponent(id)}`, { method: 'DELETE' });
  await endIfRevoked();
};
