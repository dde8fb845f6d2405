import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeFairQueue } from '../../../core/fairness/fair-queue.ts';
import type { AccountStore, WebhookLeases } from '../../../core/ports.ts';
import { repeat } from '../../../core/timing/repeat.ts';
import type { Gauge } from '../../../core/watch/gauges.ts';
import type { Log } from '../../../core/watch/logger.ts';
import { type WebhookDocument, webhookState } from '../../../projections/accounts/webhooks.ts';
import { deliverRound, type Outcome, type RoundPorts, record } from './round.ts';
import { beginRun, isProven, type Run } from './run.ts';

/** A webhook is another process's when it was not renewed for so long: longer than a round takes. */
const LEASE_MS = 30_000;
const RENEW_MS = 5_000;
/** Rounds at a time. A slow receiver is in a lane with others like it, and is sent one message at a time. */
const PROVEN_AT_ONCE = 128;
const OTHERS_AT_ONCE = 512;
/** How long an idle webhook waits at most before it looks whether something else is to be told. */
const IDLE_MS = 2_000;
/** The service's clock is asked so often: it isn't the one of timers. */
const TICK_MS = 1_000;
const AFTER_FAULT_MS = 1_000;

export interface DelivererPorts extends Omit<RoundPorts, 'store' | 'onAttempts' | 'onPaused'> {
  store: Pick<AccountStore, 'get' | 'record' | 'list'>;
  /** Undefined: no other process delivers. */
  leases?: WebhookLeases | undefined;
  /** How often webhooks are looked for that nobody delivers, in milliseconds. */
  everyMs: number;
  /** Whether the accounts can be read; default: always. */
  isReady?: () => boolean;
  logger: Pick<Log, 'info' | 'warn'>;
}

export interface Deliverer {
  gauges: readonly Gauge[];
  /** Ends what is being sent, and records how far each webhook has come. */
  close(): Promise<void>;
}

const ALONE: WebhookLeases = { hold: async () => true, release: async () => {} };

const isLive = ({ deleted_at, paused }: WebhookDocument): boolean =>
  deleted_at === undefined && paused === null;

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : 'unknown fault');

/** Delivers the webhooks of all organizations, as far as no other process does. */
export const startDeliverer = (ports: DelivererPorts): Deliverer => {
  const { store, leases = ALONE, clock, isReady = () => true, logger } = ports;
  const owner = randomUUID();
  const closing = new AbortController();
  const { signal } = closing;
  const running = new Map<string, Promise<void>>();
  const lanes = {
    proven: makeFairQueue({ slots: PROVEN_AT_ONCE }),
    others: makeFairQueue({ slots: OTHERS_AT_ONCE }),
  };
  const counts = { delivered: 0, failed: 0 };
  let states = { active: 0, retrying: 0, paused: 0 };
  const roundPorts: RoundPorts = {
    ...ports,
    onAttempts: (delivered, failed) => {
      counts.delivered += delivered;
      counts.failed += failed;
    },
    onPaused: ({ org_id, webhook_id }, reason) =>
      logger.warn({ org_id, webhook_id, reason }, 'a webhook is paused'),
  };

  const round = async (run: Run, renewed: { at: number }): Promise<Outcome> => {
    const { org_id, webhook_id } = run.webhook;
    if (performance.now() - renewed.at >= RENEW_MS) {
      const at = performance.now();
      if (!(await leases.hold(org_id, webhook_id, owner, LEASE_MS))) return { kind: 'ended' };
      renewed.at = at;
    }
    return deliverRound(roundPorts, run, signal);
  };

  const wait = async (outcome: Outcome): Promise<void> => {
    if (outcome.kind === 'idle') {
      await outcome.stream.more(IDLE_MS, signal);
      outcome.stream.close();
    } else if (outcome.kind === 'later') {
      const ms = Math.min(TICK_MS, Math.max(0, outcome.at - clock()));
      await sleep(ms, undefined, { signal, ref: false }).catch(() => {});
    }
  };

  /** Delivers a webhook until it is paused or deleted, or is another process's. */
  const deliver = async (webhook: WebhookDocument): Promise<void> => {
    const { org_id: org, webhook_id: id } = webhook;
    const run = beginRun(webhook, clock());
    const renewed = { at: performance.now() };
    let isFailing = false;
    while (!signal.aborted) {
      try {
        const lane = isProven(run) ? lanes.proven : lanes.others;
        const outcome = await lane.run(org, () => round(run, renewed), signal);
        isFailing = false;
        if (outcome.kind === 'ended') break;
        await wait(outcome);
      } catch (error) {
        if (signal.aborted) break;
        // Once an outage, however long.
        if (!isFailing)
          logger.warn({ webhook_id: id, reason: reasonOf(error) }, 'a webhook waits for an engine');
        isFailing = true;
        await sleep(AFTER_FAULT_MS, undefined, { signal, ref: false }).catch(() => {});
      }
    }
    if (run.isDirty || run.told.length > 0) await record(roundPorts, run).catch(() => false);
    await leases.release(org, id, owner).catch(() => {});
  };

  const begin = async (webhook: WebhookDocument): Promise<void> => {
    const { org_id, webhook_id: id } = webhook;
    if (!(await leases.hold(org_id, id, owner, LEASE_MS))) return;
    const ended = deliver(webhook).finally(() => running.delete(id));
    running.set(id, ended);
  };

  let hasFailed = false;
  const looking = repeat(async () => {
    if (!isReady()) return;
    try {
      const all = (await store.list('webhook')).filter(({ deleted_at }) => deleted_at === undefined);
      states = { active: 0, retrying: 0, paused: 0 };
      for (const one of all) states[webhookState(one)]++;
      for (const one of all) {
        if (signal.aborted) return;
        if (isLive(one) && !running.has(one.webhook_id)) await begin(one);
      }
      hasFailed = false;
    } catch (error) {
      if (!hasFailed && !signal.aborted)
        logger.warn({ reason: reasonOf(error) }, 'webhooks can not be looked for now');
      hasFailed = true;
    }
  }, ports.everyMs);

  return {
    gauges: [
      {
        name: 'turnstone_webhooks',
        help: 'Webhooks of all organizations, by state; every process that delivers some counts all',
        labels: ['state'],
        read: () => Object.entries(states).map(([state, value]) => ({ labels: { state }, value })),
      },
      {
        name: 'turnstone_webhook_attempts',
        help: 'Attempts of this process to deliver a message of a webhook since its start, by outcome',
        labels: ['outcome'],
        read: () => Object.entries(counts).map(([outcome, value]) => ({ labels: { outcome }, value })),
      },
    ],
    close: async () => {
      closing.abort();
      await looking.close();
      await Promise.all(running.values());
    },
  };
};
