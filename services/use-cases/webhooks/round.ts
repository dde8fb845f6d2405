import type {
  AccountStore,
  Delivery,
  KeyStore,
  SendWebhook,
  Sent,
  WebhookDeliveries,
} from '../../../core/ports.ts';
import { HOUR_MS } from '../../../core/time.ts';
import type { WebhookDocument } from '../../../projections/accounts/webhooks.ts';
import type { PauseReason } from '../../../schemas/webhooks.ts';
import type { Feed, FeedStream } from '../feed/feed.ts';
import { isWithin } from '../feed/position.ts';
import { FAILS_FOR_MS, pauseAfter } from './back-off.ts';
import {
  type CapPorts,
  entriesOf,
  firstOfLines,
  idIn,
  type Lined,
  noticesOf,
  reachedCaps,
} from './gather.ts';
import { bodyOf } from './messages.ts';
import { recordMove } from './moves.ts';
import { isKeyAlive } from './rights.ts';
import { advance, beginRun, changeOf, type Run, succeeded } from './run.ts';
import { openSecret } from './secrets.ts';
import { signedHeaders } from './sign.ts';

/** Entries of the feed that are looked at: more sessions than are sent at once. */
const PAGE = 32;
/** A position is recorded so often while something is delivered: so much is repeated after a crash. */
const RECORD_EVERY_MS = 15_000;
/** A position that only passed what others wrote. */
const RECORD_IDLE_MS = HOUR_MS;
/** A receiver that fails once is no news: from this many failures in a row on it is recorded. */
const FAILURES_RECORDED = 3;
const GONE = 410;

export interface RoundPorts extends CapPorts {
  store: Pick<AccountStore, 'get' | 'record'>;
  keys: Pick<KeyStore, 'byId'>;
  feed: Pick<Feed, 'open' | 'ends'>;
  send: SendWebhook;
  deliveries: Pick<WebhookDeliveries, 'note'>;
  /** In [0, 1). */
  random: () => number;
  /** Told of attempts, and of a webhook that is paused. */
  onAttempts: (delivered: number, failed: number) => void;
  onPaused: (webhook: WebhookDocument, reason: PauseReason) => void;
}

/** `idle`: nothing to send; the stream tells when there may be something. `later`: not before `at`. */
export type Outcome =
  | { kind: 'more' }
  | { kind: 'idle'; stream: FeedStream }
  | { kind: 'later'; at: number }
  | { kind: 'ended' };

const ENDED: Outcome = { kind: 'ended' };
const MORE: Outcome = { kind: 'more' };

/** Records what a run has done; another process may have moved it, and then it begins anew from there. */
export const record = async (ports: RoundPorts, run: Run, more: object = {}): Promise<boolean> => {
  run.recordedAt = ports.clock();
  const change = { ...changeOf(run), ...more };
  const isRecorded = await recordMove(ports, run.webhook, change);
  if (isRecorded) {
    const { number, waiting } = run.webhook;
    run.webhook = {
      ...run.webhook,
      number: number + 1,
      failing_since: run.failingSince,
      waiting: waiting.filter(({ id }) => !run.told.includes(id)),
    };
    run.told = [];
    run.isDirty = false;
  }
  return isRecorded;
};

const pause = async (ports: RoundPorts, run: Run, reason: PauseReason): Promise<Outcome> => {
  const at = new Date(ports.clock()).toISOString();
  if (!(await record(ports, run, { paused: { at, reason } }))) return MORE;
  ports.onPaused(run.webhook, reason);
  return ENDED;
};

/** Reads the webhook; undefined where it is not to be delivered. What others have recorded counts. */
const refresh = async (
  { store, feed, clock }: RoundPorts,
  run: Run,
): Promise<PauseReason | 'ended' | undefined> => {
  const found = await store.get('webhook', run.webhook.webhook_id);
  if (!found || found.deleted_at !== undefined || found.paused) return 'ended';
  if (found.number > run.webhook.number) Object.assign(run, beginRun(found, clock()));
  else if (found.number === run.webhook.number) run.webhook = found;
  if (run.isChecked) return undefined;
  run.isChecked = isWithin(run.position, await feed.ends());
  return run.isChecked ? undefined : 'position';
};

const attempt = async (
  ports: RoundPorts,
  run: Run,
  secret: string,
  { message }: Lined,
  signal: AbortSignal,
): Promise<{ sent: Sent; delivery: Delivery }> => {
  const at = ports.clock();
  const began = performance.now();
  const body = bodyOf(message);
  const headers = signedHeaders(secret, { id: message.id, at, body });
  const sent = await ports.send({ url: run.webhook.url, headers, body }, signal);
  const number = (run.attempts.get(message.id) ?? 0) + 1;
  run.attempts.set(message.id, number);
  const status = sent.kind === 'answered' ? sent.status : null;
  const isDelivered = status !== null && status >= 200 && status < 300;
  const isRedirect = status !== null && status >= 300 && status < 400;
  const ofStatus = isRedirect ? 'redirect' : 'status';
  const reason = sent.kind === 'failed' ? sent.reason : ofStatus;
  return {
    sent,
    delivery: {
      webhookId: run.webhook.webhook_id,
      ...{ id: message.id, event: message.event, attempt: number, at, isDelivered, status },
      reason: isDelivered ? null : reason,
      durationMs: Math.round(performance.now() - began),
    },
  };
};

/** Settles a round of which something failed. */
const failed = async (ports: RoundPorts, run: Run, isGone: boolean): Promise<Outcome> => {
  const now = ports.clock();
  run.failures++;
  run.width = 1;
  run.failingSince ??= new Date(now).toISOString();
  run.retryAt = now + pauseAfter(run.failures, ports.random());
  if (isGone) return pause(ports, run, 'gone');
  if (now - Date.parse(run.failingSince) >= FAILS_FOR_MS) return pause(ports, run, 'failing');
  if (run.failures === FAILURES_RECORDED && run.webhook.failing_since === null) await record(ports, run);
  return { kind: 'later', at: run.retryAt };
};

/** Sends these messages side by side, and remembers what arrived. */
const sendAll = async (
  ports: RoundPorts,
  run: Run,
  chosen: readonly Lined[],
  signal: AbortSignal,
): Promise<Outcome> => {
  const secret = await openSecret(ports.keys, run.webhook);
  const began = performance.now();
  const attempts = await Promise.all(chosen.map(one => attempt(ports, run, secret, one, signal)));
  const deliveries = attempts.map(({ delivery }) => delivery);
  for (const [i, { isDelivered }] of deliveries.entries()) if (isDelivered) chosen[i]!.delivered();
  const delivered = deliveries.filter(({ isDelivered }) => isDelivered).length;
  ports.onAttempts(delivered, deliveries.length - delivered);
  // Nobody's delivery waits for the list of the last ones.
  ports.deliveries.note(run.webhook.org_id, deliveries).catch(() => {});
  if (delivered < deliveries.length)
    return failed(
      ports,
      run,
      attempts.some(({ sent }) => sent.kind === 'answered' && sent.status === GONE),
    );
  succeeded(run, performance.now() - began);
  return MORE;
};

/** Whether what is delivered is to be recorded now. */
const isDue = (run: Run, now: number): boolean =>
  (run.failingSince === null && run.webhook.failing_since !== null) ||
  now - run.recordedAt >= (run.isDirty ? RECORD_EVERY_MS : RECORD_IDLE_MS);

/**
 * One round of a webhook: read what is there now, send the first message of each session, a few at once, and
 * move past what arrived. Nothing that was read is kept for a later attempt: what was erased, hidden or has
 * expired by then is not sent.
 */
export const deliverRound = async (ports: RoundPorts, run: Run, signal: AbortSignal): Promise<Outcome> => {
  const fault = await refresh(ports, run);
  if (fault === 'ended') return ENDED;
  if (fault) return pause(ports, run, fault);
  const now = ports.clock();
  if (now < run.retryAt) return { kind: 'later', at: run.retryAt };
  const key = await ports.store.get('api_key', run.webhook.key_id);
  if (!isKeyAlive(key, now)) return pause(ports, run, 'key');

  const notices = noticesOf(run, run.webhook);
  if (notices.length > 0) {
    const outcome = await sendAll(ports, run, notices.slice(0, 1), signal);
    if (outcome.kind === 'more') await record(ports, run);
    return outcome;
  }
  const { org_id: org, user_id } = run.webhook;
  const stream = ports.feed.open({ org, user: user_id ?? undefined }, run.position, run.named);
  let isKept = false;
  try {
    const page = await stream.read(PAGE);
    const chosen = firstOfLines([...(await reachedCaps(run, ports)), ...entriesOf(run, page)], run.width);
    const outcome = chosen.length === 0 ? undefined : await sendAll(ports, run, chosen, signal);
    if (outcome && outcome.kind !== 'more') return outcome;
    advance(run, page, idIn(run.webhook));
    if (isDue(run, ports.clock())) await record(ports, run);
    isKept = outcome === undefined && !page.isFull;
    return isKept ? { kind: 'idle', stream } : MORE;
  } finally {
    if (!isKept) stream.close();
  }
};
