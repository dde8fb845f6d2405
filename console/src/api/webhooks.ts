/** The calls about webhooks. */
import type { CreateWebhookBody } from '../../../schemas/http/webhooks.ts';
import { request } from './request.ts';
import type { NewWebhook, Webhook, WebhookDelivery } from './types.ts';

const pathOf = (id: string): string => `/me/webhooks/${encodeURIComponent(id)}`;

/** Returns those that the key handles, oldest first. */
export const webhooks = async (signal?: AbortSignal) =>
  (await request<{ webhooks: Webhook[] }>('/me/webhooks', { signal })).webhooks;

export const createWebhook = (body: CreateWebhookBody) =>
  request<NewWebhook>('/me/webhooks', { method: 'POST', body });

/** Goes on from where it stopped; one that isn't paused tries again at once. */
export const resumeWebhook = (id: string) => request<Webhook>(`${pathOf(id)}/resume`, { method: 'POST' });

export const deleteWebhook = (id: string) => request<void>(pathOf(id), { method: 'DELETE' });

/** Returns the last attempts, newest first, without their words. */
export const deliveries = async (id: string, signal?: AbortSignal) =>
  (await request<{ deliveries: WebhookDelivery[] }>(`${pathOf(id)}/deliveries`, { signal })).deliveries;
