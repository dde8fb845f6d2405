/** Checks what a caller sees of `as_of`, over HTTP and on the command line, whatever the engines. */
import { expect } from 'vitest';
import type { Facts } from '../../../schemas/http/lists.ts';
import type { RecallBody } from '../../../schemas/http/recall.ts';
import type { Client } from '../http/client.ts';
import { runCommand } from '../processes/command-line.ts';
import { until } from '../wait.ts';
import { turn } from './builders.ts';

export interface Opened {
  client: Client;
  url: string;
  apiKey: string;
  /** Resolves when projector and enricher have caught up. */
  settled(): Promise<void>;
  stop(): Promise<unknown>;
}

/** A day that is to come: accounts are older whatever the clock of the test's own machine says. */
const DAY = new Date(Date.now() + 48 * 3_600_000).toISOString().slice(0, 10);
const at = (time: string): string => `${DAY}T${time}Z`;

const ask = (asOf?: string): Omit<RecallBody, 'scope'> => ({
  q: 'Where did Grace move?',
  include_timeline: true,
  top_k: 30,
  ...(asOf && { as_of: asOf }),
});

interface Refusal {
  error: string;
  details: { errors: { loc: string[]; type: string; message: string }[] };
}

/** `start`: the whole service, its clock set to this instant. */
export const answersAsOf = async (start: (clock: string) => Promise<Opened>): Promise<void> => {
  const morning = await start(at('08:00:00'));
  await morning.client.ingest({
    turns: [
      turn(1, { role: 'Ada', text: 'My sister Grace moved to Lisbon in March.' }),
      turn(3, { role: 'Ada', observations: ['Ada moved too'] }),
    ],
    scope: { session_id: 's' },
  });
  await morning.settled();
  const { usage, freshness: ___, ...before } = await morning.client.recall(ask());
  expect(before.hits.turns).toHaveLength(2);
  await morning.stop();

  const noon = await start(at('12:00:00'));
  const { client, url, apiKey } = noon;
  await client.ingest({
    turns: [
      turn(0, { role: 'Marta', text: 'Grace never moved to LISBON.' }),
      turn(2, { role: 'Grace', text: 'I moved to Oslo.' }),
    ],
    scope: { session_id: 's' },
  });
  await noon.settled();
  const now = await client.recall(ask());
  expect(now.hits.turns).toHaveLength(4);
  const billed = (await client.today()).tokens_out;

  const user = now.hits.turns[0]!.user_id;
  /** Where Grace lives, as far as it was known. */
  const homes = async (asOf = ''): Promise<string[]> => {
    const path = `/memory/facts?user_id=${user}&attribute=home&subject=Grace${asOf && `&as_of=${asOf}`}`;
    const { status, body } = await client.request<Facts>('GET', path);
    expect(status).toBe(200);
    return body.facts.map(({ value }) => value);
  };
  expect(await homes()).toEqual(['Oslo']);
  // Nobody knew of Oslo then.
  expect(await homes(at('11:00:00'))).toEqual(['Lisbon']);
  expect(await homes(at('07:00:00'))).toEqual([]);

  const { usage: paid, freshness, ...then } = await client.recall(ask(at('11:00:00')));
  expect(then).toEqual(before);
  expect(freshness).toEqual({ indexed_until: new Date(at('11:00:00')).toISOString(), from_tail: 0 });
  // The bill is today's, and that of any recall.
  expect(paid).toEqual(usage);
  await until('the recall is billed to today', async () => {
    return (await client.today()).tokens_out === billed + paid.tokens_out;
  });
  expect(await client.recall(ask(at('07:00:00')))).toMatchObject({
    hits: { turns: [], observations: [], entities: [] },
    confidence: 0,
    timeline: null,
  });
  // By the speaker's time as well, of what was there by then.
  const window = { since: turn(2).timestamp, until: turn(9).timestamp };
  expect((await client.recall({ ...ask(at('11:00:00')), ...window })).hits.turns).toHaveLength(1);

  for (const late of [at('12:00:00'), at('23:00:00'), '9999-12-31T23:59:59Z']) {
    const { status, body } = await client.request<Refusal>('POST', '/recall', {
      scope: { org_id: 'any' },
      ...ask(late),
    });
    expect(status).toBe(422);
    expect(body.details.errors).toEqual([
      { loc: ['body', 'as_of'], type: 'not_passed', message: expect.stringMatching(/^must not be after /) },
    ]);
    // The instant that it names is taken.
    const [latest] = /\d{4}-\S+Z/.exec(body.details.errors[0]!.message)!;
    expect((await client.recall(ask(latest))).hits.turns).toHaveLength(2);
  }

  const environment = { TURNSTONE_URL: url, TURNSTONE_API_KEY: apiKey };
  const command = (time: string) =>
    runCommand(['recall', ask().q, '--top-k', '30', '--timeline', '--as-of', time, '--json'], environment);
  const { usage: _, freshness: __, ...printed } = JSON.parse((await command(at('11:00:00'))).stdout);
  expect(printed).toEqual(before);
  const refused = await command(DAY);
  expect(refused.status).not.toBe(0);
  expect(refused.stderr).toContain('must not be after');
  await noon.stop();
};
