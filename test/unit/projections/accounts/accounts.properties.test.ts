import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { AccountState, GetDocument } from '../../../../projections/accounts/accounts-projection.ts';
import {
  type EventMarker,
  foldEntities,
  type LoggedAccountEvent,
} from '../../../../projections/accounts/folded-entities.ts';
import { keptAfterAt, type Retention, withRetention } from '../../../../projections/accounts/retention.ts';
import { expectProperty } from '../../../support/properties.ts';
import { accountHistory } from '../../../support/worlds/account-history.ts';

const NOW = Date.parse('2026-03-10T08:00:00Z');
const DAY = 86_400_000;

/** Nothing is used, revoked or delivered before it was made: whoever appends that has read of it. */
const inOrder = (events: readonly LoggedAccountEvent[]): LoggedAccountEvent[] => {
  const made = new Set<string>();
  return events.filter(({ id, type, org_id, data }) => {
    if (type === 'org.signed_up') made.add(org_id).add(`${org_id} ${data.key.key_id}`);
    if (!made.has(org_id)) return false;
    if (type === 'api_key.created') made.add(`${org_id} ${data.key_id}`);
    if (type === 'refresh_token.rotated') made.add(`${org_id} ${data.token_id}`);
    if (type === 'org.deletion_asked') made.add(`${org_id} ${id}`);
    if (type === 'org.deletion_withdrawn') return made.has(`${org_id} ${data.asked}`);
    const confirmed = `${org_id} confirmed ${'asked' in data ? data.asked : ''}`;
    if (type === 'org.deleted' && made.has(`${org_id} ${data.asked}`)) made.add(confirmed);
    if (type === 'org.deleted' || type === 'org.emptied') return made.has(confirmed);
    if (type === 'webhook.created') made.add(`${org_id} ${data.webhook_id}`);
    if (type === 'webhook.moved' || type === 'webhook.noticed' || type === 'webhook.deleted')
      return made.has(`${org_id} ${data.webhook_id}`);
    if (type === 'api_key.used' || type === 'api_key.revoked' || type === 'api_key.retired')
      return made.has(`${org_id} ${data.key_id}`);
    return type !== 'refresh_token.delivered' || made.has(`${org_id} ${data.token_id}`);
  });
};

const logged = (seed: number): LoggedAccountEvent[] =>
  accountHistory(NOW, { seed, count: 60, organizations: 2, days: 3 }).map((event, offset) => ({
    ...event,
    partition: 0,
    offset,
  }));

/** Keeps what a fold of some pages writes, as a store does. */
const projected = (pages: readonly (readonly LoggedAccountEvent[])[]) => {
  const documents = new Map<string, AccountState>();
  const markers = new Map<string, EventMarker>();
  for (const page of pages) {
    const known = {
      get: ((kind, id) => documents.get(`${kind} ${id}`)?.document) as GetDocument,
      firstCopy: (org: string, id: string) => markers.get(`${org} ${id}`)?.offset,
    };
    const folded = foldEntities(known, page, NOW);
    for (const { state } of folded.states) documents.set(`${state.kind} ${state.id}`, state);
    for (const marker of folded.markers) markers.set(`${marker.org} ${marker.id}`, marker);
  }
  return { documents, markers };
};

const cutAt = <T>(list: readonly T[], cuts: readonly number[]): T[][] => {
  const at = [...new Set(cuts.map(cut => cut % (list.length + 1)))].sort((a, b) => a - b);
  return [0, ...at].map((from, i) => list.slice(from, at[i] ?? list.length));
};

const seed = fc.nat({ max: 1_000 });

it('accounts are the same however the log was cut into pages', () =>
  expectProperty(seed, fc.array(fc.nat(), { maxLength: 8 }), (of, cuts) => {
    const events = logged(of);
    expect(projected(cutAt(events, cuts)).documents).toEqual(projected([events]).documents);
  }));

it('accounts are the same when pages come again, from any place that was reached', () =>
  expectProperty(seed, fc.nat(), fc.nat(), (of, one, other) => {
    const events = inOrder(logged(of));
    const reached = one % (events.length + 1);
    const again = other % (reached + 1);
    const pages = [events.slice(0, reached), events.slice(again, reached), events.slice(again)];
    expect(projected(pages).documents).toEqual(projected([events]).documents);
  }));

it('another copy of an event changes nothing, whatever it says', () =>
  expectProperty(seed, fc.nat(), fc.integer({ min: 0, max: DAY / 2 }), (of, pick, later) => {
    const events = logged(of);
    const one = events[pick % events.length]!;
    const recorded_at = new Date(Date.parse(one.recorded_at) + later).toISOString();
    const copy = { ...one, recorded_at, offset: events.length } as LoggedAccountEvent;
    // One whose marker has ended is an event of its own.
    const { markers, documents } = projected([events]);
    if (!markers.has(`${one.org_id} ${one.id}`)) return;
    expect(projected([events, [copy]]).documents).toEqual(documents);
  }));

const change = fc.record({
  days: fc.option(fc.integer({ min: 1, max: 400 })),
  after: fc.nat({ max: 5 * DAY }),
});
const changes = fc.array(change, { minLength: 1, maxLength: 8 });
/** The retentions after each change, and when each was made. */
const retentionsOf = (
  all: readonly { days: number | null; after: number }[],
): { at: number; retention: Retention }[] => {
  let at = NOW;
  let retention: Retention | undefined;
  return all.map(({ days, after }, i) => {
    at += after;
    retention = withRetention(retention, { id: String(i), days, at: new Date(at).toISOString() });
    return { at, retention };
  });
};

it('what has expired stays so, whatever retention is set later', () =>
  expectProperty(changes, fc.nat({ max: 500 * DAY }), (all, wait) => {
    let gone = Number.NEGATIVE_INFINITY;
    const set = retentionsOf(all);
    for (const [i, { at, retention }] of set.entries()) {
      for (const now of [at, set[i + 1]?.at ?? at + wait]) {
        const kept = keptAfterAt(retention, now) ?? Number.NEGATIVE_INFINITY;
        expect(kept).toBeGreaterThanOrEqual(gone);
        gone = kept;
      }
    }
  }));

it('a retention changes nothing for a day after it was set, and nothing when it is set again', () =>
  expectProperty(
    changes,
    fc.option(fc.integer({ min: 1, max: 400 })),
    fc.nat({ max: DAY - 1 }),
    (all, days, wait) => {
      const { at, retention } = retentionsOf(all).at(-1)!;
      const text = new Date(at).toISOString();
      const change = { id: 'next', days, at: text };
      const next = withRetention(retention, change);
      expect(withRetention(next, change)).toEqual(next);
      // One that was set within the day before never counts.
      const isPending = retention.in_force_at > text;
      const former = isPending ? { ...retention, days: null, in_force_at: next.in_force_at } : retention;
      expect(keptAfterAt(next, at + wait)).toBe(keptAfterAt(former, at + wait));
    },
  ));
