import type { Caps, UsageReader } from '../../../core/ports.ts';
import { utcDay } from '../../../core/time.ts';
import type { WebhookDocument } from '../../../projections/accounts/webhooks.ts';
import type { FeedPage } from '../feed/feed.ts';
import { eventOf, type Message, markOf, messageIdOf, ofCap, ofEntry, ofNotice } from './messages.ts';
import type { Run } from './run.ts';

/** A message with the line that it stands in: those of one line are sent one after the other. */
export interface Lined {
  line: string;
  message: Message;
  /** Remembers that it was delivered. */
  delivered: () => void;
}

/** How often the usage of an organization is looked at. */
const CAPS_EVERY_MS = 30_000;
/** Told at these shares of a cap. */
const PERCENTS = [80, 100] as const;

export interface CapPorts {
  usage: Pick<UsageReader, 'billed'>;
  /** Returns the caps of an organization for a day. */
  capsOf: (org: string) => Promise<Caps>;
  /** Unix milliseconds. */
  clock: () => number;
}

/** Erasures come before whatever the feed has: what is written after one must not be taken for erased. */
export const noticesOf = (run: Run, { webhook_id, waiting }: WebhookDocument): Lined[] =>
  waiting
    .filter(({ id }) => !run.told.includes(id))
    .map(notice => ({
      line: 'erased',
      message: ofNotice(webhook_id, notice),
      delivered: () => {
        run.told.push(notice.id);
      },
    }));

/** The caps of the day of which more is used than was told. */
export const reachedCaps = async (run: Run, { usage, capsOf, clock }: CapPorts): Promise<Lined[]> => {
  const now = clock();
  if (!run.webhook.events.includes('quota') || now < run.capsAt) return [];
  run.capsAt = now + CAPS_EVERY_MS;
  const { org_id: org, webhook_id } = run.webhook;
  const day = utcDay(now);
  const told = run.quota?.day === day ? run.quota.told : [];
  const [billed, caps] = await Promise.all([usage.billed(org, day, day), capsOf(org)]);
  const both = [
    { cap: 'tokens_in', used: billed.tokensIn, limit: caps.tokensIn },
    { cap: 'tokens_out', used: billed.tokensOut, limit: caps.tokensOut },
  ] as const;
  return both
    .flatMap(one => PERCENTS.map(percent => ({ ...one, percent, day })))
    .filter(({ used, limit, percent }) => limit > 0 && used * 100 >= limit * percent)
    .filter(reached => !told.includes(markOf(reached)))
    .map(reached => ({
      line: 'quota',
      message: ofCap(webhook_id, reached, now),
      delivered: () => {
        const before = run.quota?.day === day ? run.quota.told : [];
        run.quota = { day, told: [...before, markOf(reached)] };
        // The next one of the same look.
        run.capsAt = Number.NEGATIVE_INFINITY;
        run.isDirty = true;
      },
    }));
};

type Item = FeedPage['items'][number];

/** Returns the id of the message of an item; undefined where the webhook is not told of it. */
export const idIn =
  ({ webhook_id, events }: WebhookDocument) =>
  ({ entry }: Item): string | undefined => {
    const event = eventOf(entry);
    return event && events.includes(event) ? messageIdOf(webhook_id, entry.fragment.id) : undefined;
  };

/** The items of a page that are to be sent, in the order of the log. */
export const entriesOf = (run: Run, page: FeedPage): Lined[] => {
  const { webhook } = run;
  const idOf = idIn(webhook);
  return page.items.flatMap((item): Lined[] => {
    const id = idOf(item);
    if (id === undefined || run.ahead.has(id)) return [];
    const { user, session } = item.entry.fragment;
    return [
      {
        line: JSON.stringify([user, session]),
        message: ofEntry(webhook.webhook_id, eventOf(item.entry)!, item.entry),
        delivered: () => {
          run.ahead.add(id);
          run.isDirty = true;
        },
      },
    ];
  });
};

/** The first message of each line, so many at most. */
export const firstOfLines = (all: readonly Lined[], most: number): Lined[] => {
  const lines = new Map<string, Lined>();
  for (const one of all) if (!lines.has(one.line)) lines.set(one.line, one);
  return [...lines.values()].slice(0, most);
};
