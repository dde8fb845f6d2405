import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Event } from '../../core/log/events.ts';
import type { SplitAsked, SplitBy, SplitUsage, Tokens, UsageSplit } from '../../core/ports.ts';
import { scopeDigest } from '../../domain/identity/identity.ts';
import type { RecallMetered } from '../../schemas/events/usage.ts';
import { memoryErased, recallMetered, turnRecorded } from '../support/worlds/builders.ts';
import { type Draw, drawing } from '../support/worlds/history.ts';

/** A store that a projector writes, and the split of what it bills. */
export interface OpenSplit {
  split: SplitUsage;
  apply(events: readonly Event[]): Promise<void>;
  close(): Promise<void>;
}

const FROM = '2026-03-01';
const TO = '2026-03-31';
const USERS = ['ada', 'grace', 'émile', 'zoë'];
const KEYS = ['', 'k1', 'k2'];

interface Known {
  user: string | undefined;
  session: string | null;
  key: string;
  day: string;
  tokens: Tokens;
}

type Told = Record<string, Record<string, [number, number]>>;

const add = (told: Told, name: string, day: string, { tokensIn, tokensOut }: Tokens): void => {
  told[name] ??= {};
  const days = told[name];
  const [before, after] = days[day] ?? [0, 0];
  days[day] = [before + tokensIn, after + tokensOut];
};

/** The split as a count of the rows has it: by name, then by day. */
const bruteForce = (rows: readonly Known[], { by, user }: Pick<SplitAsked, 'by' | 'user'>): Told => {
  const told: Told = {};
  for (const row of rows) {
    if (row.day < FROM || row.day > TO) continue;
    if (user !== undefined && row.user !== user) continue;
    if (by === 'key') add(told, JSON.stringify([row.key || null]), row.day, row.tokens);
    else if (row.user === undefined) add(told, 'erased', row.day, row.tokens);
    else add(told, JSON.stringify(by === 'user' ? [row.user] : [row.user, row.session]), row.day, row.tokens);
  }
  return told;
};

const toldBy = ({ groups, other, erased }: UsageSplit): Told => {
  const told: Told = {};
  const name = ({ user, session, key }: UsageSplit['groups'][number]) =>
    JSON.stringify([user, session, key].filter(part => part !== undefined));
  for (const group of groups) for (const [day, one] of group.days) add(told, name(group), day, one);
  for (const [day, one] of other) add(told, 'other', day, one);
  for (const [day, one] of erased) add(told, 'erased', day, one);
  return told;
};

const sumOf = (told: Told): [number, number] =>
  Object.values(told)
    .flatMap(days => Object.values(days))
    .reduce(([a, b], [tokensIn, tokensOut]) => [a + tokensIn, b + tokensOut], [0, 0]);

const dayOf = (draw: Draw): string =>
  new Date(Date.parse('2026-02-20T00:00:00Z') + draw(45 * 86_400_000)).toISOString();

/** A turn of a session under a key of its own, as its record names it. */
const turnOf = (
  n: number,
  user: string,
  session: string,
  more: Partial<Event> = {},
  org = 'acme',
): Event => ({
  ...turnRecorded(n, { org, user, session, tokens: 1 + (n % 9) }),
  keyId: `key_${org}_${user}_${session}`,
  ...more,
});

const recallOf = (n: number, data: Partial<RecallMetered>, more: Partial<Event> = {}): Event => ({
  ...recallMetered(n, { tokens_in: 1 + (n % 3), tokens_out: n, ...data }),
  ...more,
});

/** Turns and recalls of some users, copies of some turns, and another organization's; with what they bill. */
const someHistory = (draw: Draw, count: number): { events: Event[]; rows: Known[] } => {
  const events: Event[] = [];
  const rows: Known[] = [];
  for (let n = 0; n < count; n++) {
    const user = USERS[draw(USERS.length)]!;
    const session = `s${draw(3)}`;
    const key = KEYS[draw(3)]!;
    const recorded_at = dayOf(draw);
    const org = draw(6) === 0 ? 'globex' : 'acme';
    const day = recorded_at.slice(0, 10);
    const kind = draw(3);
    if (kind === 0) {
      // A key of ada's asks for one of them, or for itself.
      const data = {
        ...(user === 'ada' ? {} : { searched: scopeDigest([org, user]) }),
        ...(key && { api_key: key }),
      };
      const event = { ...recallOf(n, data, { recorded_at }), org_id: org };
      const { tokens_in: tokensIn, tokens_out: tokensOut } = event.data as RecallMetered;
      if (org === 'acme') rows.push({ user, session: null, key, day, tokens: { tokensIn, tokensOut } });
      events.push(event);
      continue;
    }
    const event = turnOf(n, user, session, { recorded_at, ...(key && { apiKey: key }) }, org);
    events.push(event);
    if (org === 'acme')
      rows.push({ user, session, key, day, tokens: { tokensIn: event.tokens!, tokensOut: 0 } });
    // A copy by another attempt, on whatever day, counts to the first.
    if (kind === 2) events.push({ ...event, offset: 0, recorded_at: dayOf(draw), apiKey: 'k9' });
  }
  return { events: events.map((event, offset) => ({ ...event, offset })), rows };
};

/** Tests what usage is split into: the same on every store. */
export const describeUsageSplit = (name: string, open: () => Promise<OpenSplit>): void => {
  describe(`the split of usage: ${name}`, () => {
    let opened: OpenSplit;
    beforeEach(async () => {
      opened = await open();
    });
    afterEach(() => opened.close());

    const told = async (by: SplitBy, more: Partial<SplitAsked> = {}, of = opened): Promise<Told> =>
      toldBy(await of.split('acme', { by, from: FROM, to: TO, most: 1_000, ...more }));

    /** In steps of any size, some of them twice. */
    const project = async (events: readonly Event[], draw: Draw, into = opened): Promise<void> => {
      for (let at = 0; at < events.length; ) {
        const step = events.slice(at, at + 1 + draw(60));
        await into.apply(step);
        if (draw(3) === 0) await into.apply(step);
        at += step.length;
      }
    };

    it.each([1, 2])('is what a count of the log gives: seed %i', async seed => {
      const draw = drawing(seed);
      const { events, rows } = someHistory(draw, 300);
      await project(events, draw);
      for (const by of ['user', 'session', 'key'] as const) {
        expect(await told(by), by).toEqual(bruteForce(rows, { by }));
        expect(await told(by, { user: 'grace' }), by).toEqual(bruteForce(rows, { by, user: 'grace' }));
        expect(sumOf(await told(by))).toEqual(sumOf(bruteForce(rows, { by: 'user' })));
      }
      expect(Object.keys(await told('session')).length).toBeGreaterThan(10);
    });

    it('tells those with the most tokens apart, and the rest together', async () => {
      const draw = drawing(3);
      const { events, rows } = someHistory(draw, 120);
      await project(events, draw);
      const all = Object.entries(bruteForce(rows, { by: 'session' }));
      const total = ([, days]: (typeof all)[number]): number =>
        Object.values(days).reduce((sum, [tokensIn, tokensOut]) => sum + tokensIn + tokensOut, 0);
      const best = all.sort((a, b) => total(b) - total(a)).slice(0, 3);
      const { other, ...groups } = await told('session', { most: 3 });
      expect(groups).toEqual(Object.fromEntries(best));
      expect(sumOf({ ...groups, other: other! })).toEqual(sumOf(Object.fromEntries(all)));
      const { groups: sorted } = await opened.split('acme', { by: 'session', from: FROM, to: TO, most: 3 });
      expect(sorted.map(({ user, session }) => JSON.stringify([user, session]))).toEqual(
        best.map(([one]) => one),
      );
    });

    it('has an erased user under erased, with its recalls, and again with what it says later', async () => {
      const recall = (n: number, user: string, at: string) =>
        recallOf(n, { user_id: user }, { recorded_at: `2026-03-10T${at}.000Z` });
      const before = [
        turnOf(1, 'ada', 's1', { apiKey: 'k1' }),
        turnOf(2, 'ada', 's2'),
        turnOf(3, 'grace', 's1'),
        recall(4, 'ada', '07:00:00'),
        recall(5, 'grace', '07:00:00'),
      ];
      const erasure = memoryErased(6);
      const after = [turnOf(7, 'ada', 's1', { keyId: 'key_new' })];
      const day = (tokensIn: number, tokensOut = 0) => ({ '2026-03-10': [tokensIn, tokensOut] });
      await opened.apply(before);
      expect(await told('user')).toEqual({ '["ada"]': day(2 + 3 + 2, 4), '["grace"]': day(4 + 3, 5) });
      // The projector may read the topics in any order: the recalls come once more, behind the erasure.
      await opened.apply([erasure]);
      await opened.apply(before.slice(3));
      expect(await told('user')).toEqual({ erased: day(2 + 3 + 2, 4), '["grace"]': day(4 + 3, 5) });
      expect(await told('session')).toEqual({
        erased: day(2 + 3 + 2, 4),
        '["grace","s1"]': day(4),
        '["grace",null]': day(3, 5),
      });
      expect(await told('key')).toEqual({ '["k1"]': day(2), '[null]': day(3 + 4 + 2 + 3, 9) });
      expect(await told('key', { user: 'ada' })).toEqual({});
      await opened.apply(after);
      const last = { erased: day(2 + 3, 0), '["ada"]': day(8 + 2, 4), '["grace"]': day(4 + 3, 5) };
      // Its recalls name it again: they are the user's, whose name is known again.
      expect(await told('user')).toEqual(last);

      const rebuilt = await open();
      const left = before.map(event =>
        event.topic === 'turns' && event.keyId!.startsWith('key_acme_ada')
          ? { ...event, data: undefined }
          : event,
      );
      await rebuilt.apply([...left.slice(3), erasure, ...left.slice(0, 3), ...after]);
      expect(await told('user', {}, rebuilt)).toEqual(last);
      await rebuilt.close();
    });

    it('has an erased session under erased, and the others with their user', async () => {
      await opened.apply([
        turnOf(1, 'ada', 's1'),
        turnOf(2, 'ada', 's2'),
        memoryErased(3, { session: 's1' }),
      ]);
      const day = (tokensIn: number) => ({ '2026-03-10': [tokensIn, 0] });
      expect(await told('session')).toEqual({ erased: day(2), '["ada","s2"]': day(3) });
      expect(await told('user')).toEqual({ erased: day(2), '["ada"]': day(3) });
    });

    it('leaves what another partition has, until its own erasure comes', async () => {
      const elsewhere = turnOf(1, 'ada', 's2', { partition: 1, offset: 0 });
      await opened.apply([turnOf(0, 'ada', 's1'), elsewhere, memoryErased(3)]);
      expect(Object.keys(await told('session')).sort()).toEqual(['["ada","s2"]', 'erased']);
      await opened.apply([memoryErased(4, { partition: 1 })]);
      expect(Object.keys(await told('session'))).toEqual(['erased']);
    });

    it('counts a recall of a user of whom nothing is stored as nobody’s', async () => {
      await opened.apply([recallOf(1, { searched: scopeDigest(['acme', 'nobody']) })]);
      expect(Object.keys(await told('user'))).toEqual(['erased']);
    });
  });
};
