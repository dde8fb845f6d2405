/** Webhooks, as a document each: what was made of them, how far they have come, and what waits for them. */
import type {
  WebhookCreated,
  WebhookDeleted,
  WebhookMoved,
  WebhookNotice,
  WebhookNoticed,
} from '../../schemas/events/webhooks.ts';

/** Notices that wait; beyond it the oldest is dropped, and counted. */
const MOST_WAITING = 200;
/** Notices that were told and are recognised when a part of the log is folded once more. */
const MOST_TOLD = 20;

export interface WebhookDocument extends Omit<WebhookCreated, 'position'> {
  org_id: string;
  created_at: string;
  /** The number of its last move; 0: it has not moved. */
  number: number;
  position: string;
  quota: WebhookMoved['quota'];
  failing_since: string | null;
  paused: WebhookMoved['paused'];
  waiting: readonly WebhookNotice[];
  told: readonly string[];
  dropped: number;
  deleted_at?: string;
}

/** `retrying`: its receiver fails, and has for a while. */
export const webhookState = ({
  paused,
  failing_since,
}: Pick<WebhookDocument, 'paused' | 'failing_since'>): 'active' | 'retrying' | 'paused' => {
  if (paused) return 'paused';
  return failing_since === null ? 'active' : 'retrying';
};

interface About {
  org_id: string;
  recorded_at: string;
}

export type WebhookEvent = About &
  (
    | { type: 'webhook.created'; data: WebhookCreated }
    | { type: 'webhook.moved'; data: WebhookMoved }
    | { type: 'webhook.noticed'; data: WebhookNoticed }
    | { type: 'webhook.deleted'; data: WebhookDeleted }
  );

const moved = (found: WebhookDocument, data: WebhookMoved): WebhookDocument | undefined => {
  if (data.number <= found.number) return undefined;
  const { number, key_id, position, told, quota, failing_since, paused } = data;
  return {
    ...found,
    ...{ number, key_id, position, quota, failing_since, paused },
    waiting: found.waiting.filter(({ id }) => !told.includes(id)),
    told: [...found.told, ...told].slice(-MOST_TOLD),
  };
};

const noticed = (
  found: WebhookDocument,
  { webhook_id: _, ...notice }: WebhookNoticed,
): WebhookDocument | undefined => {
  if (found.told.includes(notice.id) || found.waiting.some(({ id }) => id === notice.id)) return undefined;
  const waiting = [...found.waiting, notice];
  const over = Math.max(0, waiting.length - MOST_WAITING);
  return { ...found, waiting: waiting.slice(over), dropped: found.dropped + over };
};

/** Returns the document after an event; undefined where it changes nothing. */
export const foldWebhook = (
  found: WebhookDocument | undefined,
  event: WebhookEvent,
): WebhookDocument | undefined => {
  if (event.type === 'webhook.created')
    return found
      ? undefined
      : {
          ...event.data,
          org_id: event.org_id,
          created_at: event.recorded_at,
          ...{ number: 0, quota: null, failing_since: null, paused: null },
          ...{ waiting: [], told: [], dropped: 0 },
        };
  if (found?.org_id !== event.org_id || found.deleted_at !== undefined) return undefined;
  switch (event.type) {
    case 'webhook.moved':
      return moved(found, event.data);
    case 'webhook.noticed':
      return noticed(found, event.data);
    case 'webhook.deleted':
      return { ...found, waiting: [], deleted_at: event.recorded_at };
  }
};
