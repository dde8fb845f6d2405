/** What the last release was told, and what is known of it afterwards. */
import type { IngestAnswer } from '../../../schemas/http/ingestion.ts';
import { sentence, turn } from '../builders.ts';
import { type Client, expectStatus, inParallel } from '../client.ts';
import type { Answers } from './answers.ts';

/** When it ran. Far enough from any test that what is billed there is of another month. */
export const CLOCK = '2026-10-20T09:00:00Z';

export type Write = Parameters<Client['ingest']>[0];

/** An acknowledged write whose turns live, and what the last release itself said when it was sent again. */
interface WriteThen {
  write: Write;
  again: IngestAnswer;
}

/** Turns that were erased: the words and ids that nothing may tell any more, and their write. */
interface ErasedThen {
  write: Write;
  ids: string[];
  word: string;
}

export interface OrganizationThen {
  org: string;
  apiKey: string;
  revokedKey: string;
  /** Of a user, with the role to read. */
  userKey: string;
  answers: Answers;
  writes: WriteThen[];
  /** Sent when it was killed, and not acknowledged. */
  doubtful: Write[];
  erased: ErasedThen[];
}

const USERS = ['ada', 'grace', 'edsger'];

/** Every third is of the day itself, the others are older than a claim lives. */
const timestampOf = (n: number): string =>
  new Date((n % 3 ? Date.UTC(2026, 2, 1) : Date.parse(CLOCK) - 86_400_000) + n * 60_000).toISOString();

const writeOf = (number: number, size: number): Write => ({
  scope: { user_id: USERS[number % USERS.length]!, session_id: `session-${number % 2}` },
  turns: Array.from({ length: size }, (_, i) => {
    const n = number * size + i;
    return turn(n, {
      role: i % 2 ? 'Grace' : 'user',
      timestamp: timestampOf(n),
      observations: n % 6 === 0 ? [`ref${n} was worth a fortune`] : [],
    });
  }),
  ...(number % 4 === 1 && { metadata: { from: 'a bot', number } }),
  ...(number % 5 === 2 && { options: { write_passive: false } }),
  ...(number % 7 === 3 && { options: { write_active: false } }),
});

const erasable = (user: string, session: string, word: string): Write => ({
  scope: { user_id: user, session_id: session },
  turns: Array.from({ length: 6 }, (_, i) =>
    turn(i, { text: `${word} and ${sentence(i)}`, observations: i === 0 ? [`${word} was next`] : [] }),
  ),
});

interface Acknowledged {
  write: Write;
  answer: IngestAnswer;
}

export interface Filled {
  acknowledged: Acknowledged[];
  erased: ErasedThen[];
  revokedKey: string;
  userKey: string;
}

/** Writes, sends again, erases, makes and revokes keys, recalls. */
export const fill = async (client: Client, writes: number, size: number): Promise<Filled> => {
  const acknowledged: Acknowledged[] = [];
  const say = async (write: Write): Promise<IngestAnswer> => {
    const answer = await client.ingest(write);
    acknowledged.push({ write, answer });
    return answer;
  };
  for (let number = 0; number < writes; number++) {
    const write = writeOf(number, size);
    await say(write);
    if (number % 5 === 0) await client.ingest(write);
    // Known turns and new ones.
    if (number % 8 === 0) await say({ ...write, turns: [...write.turns.slice(0, 2), turn(5_000 + number)] });
  }

  const erased: ErasedThen[] = [];
  const erase = async (
    scope: { user_id: string; session_id?: string },
    doomed: ErasedThen[],
  ): Promise<void> => {
    for (const one of doomed) one.ids = (await client.ingest(one.write)).active_fragment_ids;
    expectStatus(await client.request('DELETE', '/memory', { scope: { org_id: 'any', ...scope } }), 200);
    erased.push(...doomed);
    // Life goes on under the same names, with new keys.
    for (const { write } of doomed) await say({ ...write, turns: [turn(6_000 + erased.length)] });
  };
  const doomed = (user: string, session: string, word: string): ErasedThen => ({
    write: erasable(user, session, word),
    ids: [],
    word,
  });
  await erase({ user_id: 'ada', session_id: 'gone' }, [doomed('ada', 'gone', 'bassoon')]);
  await erase({ user_id: 'mallory' }, [
    doomed('mallory', 'first', 'violoncello'),
    doomed('mallory', 'second', 'glockenspiel'),
  ]);

  type Made = { id: string; api_key: string };
  const key = async (body: object): Promise<Made> =>
    expectStatus(await client.request<Made>('POST', '/me/api-keys', body), 201);
  const revoked = await key({ name: 'revoked' });
  expectStatus(await client.request('DELETE', `/me/api-keys/${revoked.id}`), 204);
  const { api_key: userKey } = await key({ name: 'a reader', roles: ['memory:read'], user_id: 'ada' });
  for (const q of [sentence(1), sentence(2)]) await client.recall({ q });
  return { acknowledged, erased, revokedKey: revoked.api_key, userKey };
};

const BURST = 16;
const ENOUGH = 6;

/** Writes many at once and kills the service when some were acknowledged. */
export const killedAmid = async (
  client: Client,
  kill: () => Promise<void>,
): Promise<{ acknowledged: Acknowledged[]; doubtful: Write[] }> => {
  const acknowledged: Acknowledged[] = [];
  const doubtful: Write[] = [];
  let killed: Promise<void> | undefined;
  await inParallel(BURST, BURST, async i => {
    const write: Write = { ...writeOf(1_000 + i, 2), options: {} };
    try {
      acknowledged.push({ write, answer: await client.ingest(write) });
      if (acknowledged.length === ENOUGH) killed = kill();
    } catch {
      doubtful.push(write);
    }
  });
  await killed;
  return { acknowledged, doubtful };
};
