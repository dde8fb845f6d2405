import type { FeedMessage, UseCases } from '../../../../core/use-cases.ts';
import { exportOperations, feedOperations } from '../../../../schemas/http/streams.ts';
import { webhookOperations } from '../../../../schemas/http/webhooks.ts';
import { answering, type Endpoint, route } from '../endpoint.ts';

const { listWebhooks, createWebhook, deleteWebhook, listWebhookDeliveries, resumeWebhook } =
  webhookOperations;

/** The delay in milliseconds before a client reconnects. */
const RETRY_MS = 1_000;

/** Server-sent events, as in the HTML standard; an id without an event only advances the resume point. */
const eventText = (message: FeedMessage, id: string): string =>
  message.kind === 'beat'
    ? `:\nid: ${id}\n\n`
    : `id: ${id}\nevent: ${message.data.kind}\ndata: ${JSON.stringify(message.data)}\n\n`;

async function* eventStream(
  messages: AsyncIterable<FeedMessage>,
  sealed: (position: string) => string,
): AsyncGenerator<string> {
  let first = `retry: ${RETRY_MS}\n`;
  for await (const message of messages) {
    yield first + eventText(message, sealed(message.position));
    first = '';
  }
}

async function* jsonLines(parts: AsyncIterable<readonly string[]>): AsyncGenerator<string> {
  for await (const lines of parts) yield lines.map(line => `${line}\n`).join('');
}

export const feedEndpoints = (useCases: UseCases): Endpoint[] => [
  answering(feedOperations.feed, async ({ principal, query, lastEventId, sealed, signal, isAllowed }) => {
    const { after, filter } = query();
    // A reconnecting browser repeats the original address; its position is in the header.
    const from =
      lastEventId === undefined
        ? { after, loc: ['query', 'after'] as [string, string] }
        : { after: lastEventId, loc: ['header', 'Last-Event-ID'] as [string, string] };
    return {
      status: 200,
      contentType: 'text/event-stream; charset=utf-8',
      pieces: eventStream(await useCases.feed(principal, { ...from, filter }, signal(), isAllowed), sealed),
    };
  }),
  answering(exportOperations.export, async ({ principal, query, signal }) => ({
    status: 200,
    contentType: 'application/x-ndjson; charset=utf-8',
    pieces: jsonLines(await useCases.exported(principal, query(), signal())),
  })),
];

/** Those who are told what the feed has, instead of asking for it. */
export const webhookEndpoints = (useCases: UseCases): Endpoint[] => [
  route(listWebhooks, async ({ principal }) => ({ webhooks: await useCases.listWebhooks(principal) })),
  route(createWebhook, async ({ principal, body, context }) =>
    useCases.createWebhook(principal, await body(), context),
  ),
  route(deleteWebhook, ({ principal, params, context }) =>
    useCases.deleteWebhook(principal, params.id!, context),
  ),
  route(listWebhookDeliveries, async ({ principal, params }) => ({
    deliveries: await useCases.webhookDeliveries(principal, params.id!),
  })),
  route(resumeWebhook, ({ principal, params, context }) =>
    useCases.resumeWebhook(principal, params.id!, context),
  ),
];
