import * as operations from '../../../clients/typescript/src/operations.ts';
import type { Webhook, WebhookEvent } from '../../../clients/typescript/src/types.ts';
import { connect } from '../client/connection.ts';
import { EXIT, type ExitStatus } from '../client/exit.ts';
import { print, printable, printJson, type Terminal } from '../client/terminal.ts';
import { shortened, table } from './table.ts';

export interface NewWebhookOptions {
  events: WebhookEvent[];
  user?: string;
}

const seconds = (instant: string): string => instant.slice(0, 19).replace('T', ' ');

const stateOf = ({ state, paused, failing_since }: Webhook): string => {
  if (paused) return `paused ${seconds(paused.at)}: ${paused.reason}`;
  return failing_since === null ? state : `${state} since ${seconds(failing_since)}`;
};

/** `turnstone webhooks list`: those that the key in use handles. */
export const listWebhooks = async (terminal: Terminal, options: { json?: boolean }): Promise<ExitStatus> => {
  const { webhooks } = await connect(terminal).call(operations.listWebhooks());
  if (options.json) {
    printJson(terminal, webhooks, 2);
    return EXIT.ok;
  }
  const rows = webhooks.map(webhook => [
    webhook.id,
    shortened(webhook.url),
    webhook.events.join(','),
    printable(webhook.user_id ?? 'all'),
    webhook.created_at.slice(0, 10),
    stateOf(webhook),
  ]);
  for (const line of table(['ID', 'URL', 'EVENTS', 'USER', 'CREATED', 'STATE'], rows)) print(terminal, line);
  return EXIT.ok;
};

/** `turnstone webhooks create URL`: prints the secret once. Not retried: that could create two. */
export const createWebhook = async (
  terminal: Terminal,
  url: string,
  { events, user }: NewWebhookOptions,
): Promise<ExitStatus> => {
  const made = await connect(terminal).call(operations.createWebhook({ url, events, user_id: user }));
  print(terminal, `secret: ${made.secret}`);
  print(terminal, `id ${made.id}, events ${made.events.join(', ')}; the secret is shown only once`);
  return EXIT.ok;
};

/** `turnstone webhooks deliveries ID`: the last attempts, without words. */
export const listDeliveries = async (
  terminal: Terminal,
  id: string,
  options: { json?: boolean },
): Promise<ExitStatus> => {
  const { deliveries } = await connect(terminal).call(operations.listWebhookDeliveries(id));
  if (options.json) {
    printJson(terminal, deliveries, 2);
    return EXIT.ok;
  }
  if (deliveries.length === 0) print(terminal, 'Nothing was sent lately.');
  else {
    const rows = deliveries.map(one => [
      seconds(one.at),
      one.event,
      one.status,
      one.attempt,
      one.http_status === null ? '' : String(one.http_status),
      one.reason ?? '',
      one.duration_ms,
      one.webhook_id,
    ]);
    for (const line of table(['UTC', 'EVENT', 'STATUS', 'ATTEMPT', 'HTTP', 'REASON', 'MS', 'MESSAGE'], rows))
      print(terminal, line);
  }
  return EXIT.ok;
};

/** `turnstone webhooks resume ID`. */
export const resumeWebhook = async (terminal: Terminal, id: string): Promise<ExitStatus> => {
  const { state } = await connect(terminal).call(operations.resumeWebhook(id));
  print(terminal, `${state}: it goes on from where it stopped`);
  return EXIT.ok;
};

/** `turnstone webhooks delete ID`. */
export const deleteWebhook = async (terminal: Terminal, id: string): Promise<ExitStatus> => {
  await connect(terminal).call({ ...operations.deleteWebhook(id), isRepeatable: false });
  print(terminal, `deleted ${id}`);
  return EXIT.ok;
};
