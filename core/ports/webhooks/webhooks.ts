/** The ports of webhooks, beside the feed and the accounts. */

/** A signed message for one receiver. */
export interface WebhookRequest {
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string;
}

/** Why nothing was answered: words of ours, which say nothing of a network that is not the caller's. */
export type SendFault = 'address' | 'timeout' | 'connection';

export type Sent = { kind: 'answered'; status: number } | { kind: 'failed'; reason: SendFault };

/**
 * Send a message in one POST. Resolve the name first, and connect to exactly an address that was checked:
 * neither private nor loopback nor link-local nor of another special use, unless an operator allows it.
 * Follow no redirect. Read a bounded part of the answer, and keep nothing of it. Reject only when `signal` is
 * aborted.
 */
export type SendWebhook = (request: WebhookRequest, signal: AbortSignal) => Promise<Sent>;

/** An attempt to deliver a message, without its words. */
export interface Delivery {
  webhookId: string;
  /** The message's id. */
  id: string;
  event: string;
  attempt: number;
  /** Unix milliseconds. */
  at: number;
  isDelivered: boolean;
  status: number | null;
  reason: string | null;
  durationMs: number;
}

/** Keep the last attempts of each webhook for a while; one may be lost, and none is waited for by others. */
export interface WebhookDeliveries {
  note(org: string, deliveries: readonly Delivery[]): Promise<void>;
  /** Return the last hundred at most, newest first. */
  last(org: string, webhookId: string): Promise<Delivery[]>;
}

/** Let one of several processes deliver a webhook at a time. */
export interface WebhookLeases {
  /**
   * Take the lease, or renew it, for so long; return whether it is the owner's. Two may believe so for a
   * moment after an outage: what they record is numbered.
   */
  hold(org: string, webhookId: string, owner: string, ms: number): Promise<boolean>;
  /** Give back the owner's lease. */
  release(org: string, webhookId: string, owner: string): Promise<void>;
}

export interface WebhookEngines {
  send: SendWebhook;
  deliveries: WebhookDeliveries;
  /** Left out where there is one process. */
  leases?: WebhookLeases;
  /** How often webhooks are looked for that nobody delivers, in milliseconds. */
  everyMs: number;
}
