import { expect, it } from 'vitest';
import {
  foldWebhook,
  type WebhookDocument,
  type WebhookEvent,
  webhookState,
} from '../../../../projections/accounts/webhooks.ts';

const ABOUT = { org_id: 'acme', recorded_at: '2026-03-10T08:00:00.000Z' };
const CREATED: WebhookEvent = {
  ...ABOUT,
  type: 'webhook.created',
  data: {
    ...{ webhook_id: 'w', url: 'https://example.com/', events: ['turn'], user_id: null, key_id: 'k' },
    ...{ sealed_secret: 's', sealing_key: 'sk', position: 'p0' },
  },
};
const moved = (number: number, more: object = {}): WebhookEvent => ({
  ...ABOUT,
  type: 'webhook.moved',
  data: {
    ...{ webhook_id: 'w', number, key_id: 'k', position: `p${number}`, told: [] },
    ...{ quota: null, failing_since: null, paused: null, ...more },
  },
});
const noticed = (id: string): WebhookEvent => ({
  ...ABOUT,
  type: 'webhook.noticed',
  data: { webhook_id: 'w', id, user_id: 'ada', session_id: null, erased_at: ABOUT.recorded_at },
});
const DELETED: WebhookEvent = { ...ABOUT, type: 'webhook.deleted', data: { webhook_id: 'w' } };

const folded = (...events: WebhookEvent[]): WebhookDocument | undefined =>
  events.reduce<WebhookDocument | undefined>((found, event) => foldWebhook(found, event) ?? found, undefined);

it('moves by numbers: of two moves with one number the first counts, and none goes back', () => {
  const before = folded(CREATED, moved(1, { position: 'first' }));
  expect(before).toMatchObject({ number: 1, position: 'first' });
  expect(foldWebhook(before, moved(1, { position: 'other' }))).toBeUndefined();
  expect(folded(CREATED, moved(2), moved(1))).toMatchObject({ number: 2, position: 'p2' });
});

it('changes by no event twice, nor by one of another organization, nor once it is deleted', () => {
  const events = [CREATED, noticed('a'), moved(1, { told: ['a'] }), noticed('b')];
  const once = folded(...events);
  expect(once).toMatchObject({ told: ['a'], waiting: [{ id: 'b' }] });
  expect(folded(...events, ...events)).toEqual(once);
  for (const event of events) expect(foldWebhook(once, { ...event, org_id: 'other' })).toBeUndefined();
  const deleted = folded(...events, DELETED);
  expect(deleted).toMatchObject({ deleted_at: ABOUT.recorded_at, waiting: [] });
  for (const event of [...events, moved(9), noticed('c'), DELETED])
    expect(foldWebhook(deleted, event)).toBeUndefined();
  // An event that refers to nothing is ignored.
  for (const event of [moved(1), noticed('a'), DELETED]) expect(folded(event)).toBeUndefined();
});

it('is active, retrying or paused', () => {
  expect(webhookState(folded(CREATED)!)).toBe('active');
  const failing_since = ABOUT.recorded_at;
  expect(webhookState(folded(CREATED, moved(1, { failing_since }))!)).toBe('retrying');
  const paused = { at: ABOUT.recorded_at, reason: 'gone' };
  expect(webhookState(folded(CREATED, moved(1, { failing_since, paused }))!)).toBe('paused');
});
