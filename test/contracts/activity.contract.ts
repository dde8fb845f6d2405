import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Event } from '../../core/log/events.ts';
import type { ActivityReader } from '../../core/ports.ts';
import { scopeDigest } from '../../domain/identity/identity.ts';
import { extracted, recallMetered, statement, turnRecorded } from '../support/worlds/builders.ts';

export interface OpenActivity extends ActivityReader {
  /** Projects these events in a step. */
  apply(events: readonly Event[]): Promise<void>;
  close(): Promise<void>;
}

const fact = { subject: 'The user', attribute: 'home', value: 'Lyon' };
const FIRST = '2026-03-10';
const NEXT = '2026-03-11';
const on = <E extends Event>(event: E, day: string, user: string, session: string): E => ({
  ...event,
  recorded_at: `${day}T08:00:00.000Z`,
  userKeyId: `user-${user}`,
  keyId: `key-${session}.2`,
});

const turns = [
  on(turnRecorded(0, { user: 'ada', session: 's1' }), FIRST, 'ada', 'a1'),
  on(turnRecorded(1, { user: 'ada', session: 's1' }), FIRST, 'ada', 'a1'),
  on(turnRecorded(2, { user: 'ada', session: 's2' }), FIRST, 'ada', 'a2'),
  on(turnRecorded(3, { user: 'ben', session: 's1' }), FIRST, 'ben', 'b1'),
  on(turnRecorded(4, { user: 'ada', session: 's1' }), NEXT, 'ada', 'a1'),
];
const said = on(statement(5, { text: 'Ada lives in Lyon.', fact }), FIRST, 'ada', 'a1');
const found = on(
  extracted(6, turns[0]!, {
    observations: [{ text: 'one', fact }, { text: 'two', fact }, { text: 'three' }],
  }),
  NEXT,
  'ada',
  'a1',
);
const nothing = on(extracted(7, turns[1]!, { observations: [{ text: 'no fact' }] }), NEXT, 'ada', 'a1');
const ofAda = scopeDigest(['acme', 'ada']);
const recalls = [
  recallMetered(0, { took_ms: 7, confidence: 0.95, searched: ofAda }),
  recallMetered(1, { took_ms: 60_000, confidence: 1 }),
  recallMetered(2),
];
const events: Event[] = [...turns, said, found, nothing, ...recalls];

const counts = { turns: 0, users: 0, sessions: 0, facts: 0, recalls: 0 };

/** What is counted by day. */
export const describeActivity = (name: string, open: () => Promise<OpenActivity>): void => {
  describe(`activity: ${name}`, () => {
    let activity: OpenActivity;
    beforeEach(async () => {
      activity = await open();
    });
    afterEach(() => activity.close());

    const days = async (owners?: string[], from = '2026-03-01', to = '2026-03-31') => {
      const read = await activity.days('acme', owners, from, to);
      return read
        .map(({ latency: _, confidence: __, ...one }) => one)
        .sort((a, b) => (a.day < b.day ? -1 : 1));
    };
    const all = [
      { day: FIRST, turns: 4, users: 2, sessions: 3, facts: 1, recalls: 3 },
      { day: NEXT, turns: 1, users: 1, sessions: 1, facts: 2, recalls: 0 },
    ];
    const ofAdas = [
      { day: FIRST, turns: 3, users: 1, sessions: 2, facts: 1, recalls: 1 },
      { day: NEXT, turns: 1, users: 1, sessions: 1, facts: 2, recalls: 0 },
    ];

    it('has turns, users, sessions, facts and recalls, of all and of one owner', async () => {
      await activity.apply(events);
      expect(await days()).toEqual(all);
      expect(await days(['user-ada', ofAda])).toEqual(ofAdas);
      expect(await days(['user-ben'])).toEqual([{ ...counts, day: FIRST, turns: 1, users: 1, sessions: 1 }]);
      expect(await days(['nobody'])).toEqual([]);
      expect(await days(undefined, NEXT, NEXT)).toEqual([all[1]]);
      expect(await activity.days('globex', undefined, FIRST, NEXT)).toEqual([]);
    });

    it('has recalls in bins of duration and of confidence', async () => {
      await activity.apply(events);
      const [first] = await activity.days('acme', undefined, FIRST, FIRST);
      expect(first!.latency).toEqual([0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1]);
      expect(first!.confidence).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 2]);
    });

    it('counts nothing twice, in one step or another, and nothing less for a key that was replaced', async () => {
      await activity.apply([...events, ...events]);
      for (const event of events) await activity.apply([event]);
      const again = turns
        .slice(0, 2)
        .map(turn => ({ ...turn, recorded_at: `${NEXT}T00:00:01.000Z`, offset: 90 }));
      await activity.apply(again);
      expect(await days()).toEqual(all);
      await activity.apply([
        { ...on(turnRecorded(8, { user: 'ada' }), FIRST, 'ada', 'a1'), keyId: 'key-a1.3' },
      ]);
      expect(await days()).toEqual([{ ...all[0], turns: 5 }, all[1]]);
    });

    it('counts a first copy that comes late, on its own day', async () => {
      const later = { ...turns[3]!, recorded_at: `${NEXT}T00:00:01.000Z`, offset: 90 };
      await activity.apply([...events.filter(event => event !== turns[3]), later]);
      expect((await days(['user-ben'])).map(({ day }) => day)).toEqual([NEXT]);
      await activity.apply([turns[3]!]);
      expect(await days()).toEqual(all);
      expect((await days(['user-ben'])).map(({ day }) => day)).toEqual([FIRST]);
    });

    it('counts what a destroyed key hides as before', async () => {
      const hidden = events.map(event =>
        event.type === 'recall.metered' ? event : { ...event, data: undefined },
      );
      await activity.apply(hidden);
      expect(await days()).toEqual(all);
      expect(await days(['user-ada', ofAda])).toEqual(ofAdas);
    });
  });
};
