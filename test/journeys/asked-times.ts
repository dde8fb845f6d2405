/** Questions that say when, over HTTP. The same in both modes. */
import { expect } from 'vitest';
import type { FragmentHit } from '../../schemas/http/parts/hits.ts';
import { type Client, settled } from '../support/http/client.ts';

const DAY = 86_400_000;
/** The service's clock at its start: far from midnight. */
export const NOON = '2026-10-14T12:00:00Z';
/** Days ago, and what was said then: words of the questions stand where they mean another time. */
const SAID: readonly [ago: number, text: string][] = [
  [200, 'I had pasta for dinner yesterday, and last week too.'],
  [60, 'For dinner I had soup yesterday.'],
  [33, 'Two months ago I had curry for dinner in Leeds.'],
  [9, 'Ben and I made lasagne for dinner.'],
  [1, 'Dumplings tonight, the ones from the harbour!'],
];
const ASKED = {
  'What did I have for dinner yesterday?': 1,
  'What did we talk about yesterday?': 1,
  'What did I have for dinner in the past two weeks?': 9,
  'What did I have for dinner two months ago?': 60,
};

/** Thirteen hours ahead of UTC, where it is the next day already. */
const TONGA = 780;
/** In Tonga the evenings of 13 and 14 October; in UTC the same days, but asked at noon of the 14th. */
const DINNERS = {
  soup: '2026-10-13T18:00:00+13:00',
  dumplings: '2026-10-14T21:00:00+13:00',
};
/** Whether a question is asked in Tonga, and what it means. */
const ASKED_THERE: readonly [q: string, utc_offset: number | undefined, meant: keyof typeof DINNERS][] = [
  ['What did I have for dinner yesterday?', TONGA, 'dumplings'],
  ['What did I have for dinner yesterday?', undefined, 'soup'],
  ['What did I have for dinner two days ago?', TONGA, 'soup'],
];

/** Before it is projected and after. */
export const expectDaysOfTheAsker = async (url: string, client: Client): Promise<void> => {
  for (const [dish, timestamp] of Object.entries(DINNERS)) {
    const turns = [{ role: 'user', text: `For dinner I had ${dish}.`, timestamp }];
    await client.ingest({ scope: { user_id: 'sione', session_id: dish }, turns });
  }
  const expectMeant = async (): Promise<void> => {
    for (const [q, utc_offset, meant] of ASKED_THERE) {
      const { hits } = await client.recall({
        q,
        scope: { user_id: 'sione' },
        ...(utc_offset && { utc_offset }),
      });
      expect((hits.turns[0] as FragmentHit).session_id, `${q}, ${utc_offset}`).toBe(meant);
    }
  };
  await expectMeant();
  await settled(url);
  await expectMeant();
};

/** Before it is projected and after. */
export const expectAskedTimes = async (url: string, client: Client): Promise<void> => {
  for (const [ago, text] of SAID) {
    const timestamp = new Date(Date.parse(NOON) - ago * DAY).toISOString();
    const turns = [{ role: 'user', text, timestamp }];
    await client.ingest({ scope: { user_id: 'eve', session_id: `s${ago}` }, turns });
  }
  await expectFirst(client);
  await settled(url);
  await expectFirst(client);
};

const expectFirst = async (client: Client): Promise<void> => {
  for (const [q, ago] of Object.entries(ASKED)) {
    for (const mode of ['active', 'deep'] as const) {
      const { hits } = await client.recall({ q, scope: { user_id: 'eve' }, mode });
      const [first] = hits.turns as FragmentHit[];
      expect(first?.session_id, `${q}, ${mode}`).toBe(`s${ago}`);
    }
  }
};
