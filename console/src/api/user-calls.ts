/** The calls about one user: their names, what is said of them, their words and their erasure. */
import type { SayBody } from '../../../schemas/http/curation.ts';
import type { IngestAnswer, IngestBody } from '../../../schemas/http/ingestion.ts';
import { request } from './request.ts';
import type { Erased, Feedback, Receipt, StatedObservation, UserDetails } from './types.ts';

/** Whether an id can be in a path: browsers take the others for steps, however they are encoded. */
export const isInPath = (id: string): boolean => id !== '.' && id !== '..';

export const userDetails = (user: string, signal?: AbortSignal) =>
  request<UserDetails>(`/memory/users/${encodeURIComponent(user)}`, { signal });
/** Sets all names of a user; the first is shown. */
export const nameUser = (user: string, names: readonly string[]) =>
  request<UserDetails>(`/memory/users/${encodeURIComponent(user)}`, { method: 'PUT', body: { names } });

/** Says a sentence or a fact without a turn. */
export const say = (body: SayBody) =>
  request<StatedObservation>('/memory/observations', { method: 'POST', body });

export const ingest = (body: IngestBody) =>
  request<IngestAnswer>('/ingestion/memory', { method: 'POST', body });

/** Erases a user, or one of their sessions, for good. */
export const erase = (scope: { user_id: string; session_id?: string }) =>
  request<Erased>('/memory', { method: 'DELETE', query: scope });

export type GivenVerdict = Feedback['verdict'];
/** Says what a hit of a recall with a receipt was worth; the last verdict counts. */
export const giveFeedback = (id: string, hit_id: string, verdict: GivenVerdict) =>
  request<Feedback>(`/recalls/${encodeURIComponent(id)}/feedback`, {
    method: 'POST',
    body: { hit_id, verdict },
  });

export const receipt = (id: string, signal?: AbortSignal) =>
  request<Receipt>(`/recalls/${encodeURIComponent(id)}`, { signal });
