/** The record of what a build was told, and of what it answered. */
import type { IngestAnswer } from '../../../schemas/http/ingestion.ts';
import { type Client, connect, expectStatus, inParallel, settled } from '../http/client.ts';
import { runCommand } from '../processes/command-line.ts';
import { sentence, turn } from '../worlds/builders.ts';
import { type Answers, answersOf } from './answers.ts';

/** When it ran. Far enough from any test that what is billed there is of another month. */
export const CLOCK = '2026-10-20T09:00:00Z';

export type Write = Parameters<Client['ingest']>[0];

/** An acknowledged write whose turns live, and what the build itself said when it was sent again. */
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
  /** A key of a user, with the role to read. */
  userKey: string;
  answers: Answers;
  writes: WriteThen[];
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

interface Filled {
  acknowledged: Acknowledged[];
  erased: ErasedThen[];
  revokedKey: string;
  userKey: string;
}

/** Writes, sends again, erases, makes and revokes keys, recalls. */
const fill = async (client: Client, writes: number, size: number): Promise<Filled> => {
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

/** Writes many at once and kills the service when some were acknowledged; resolves with those. */
const killedAmid = async (client: Client, kill: () => Promise<void>): Promise<Acknowledged[]> => {
  const acknowledged: Acknowledged[] = [];
  let killed: Promise<void> | undefined;
  await inParallel(BURST, BURST, async i => {
    const write: Write = { ...writeOf(1_000 + i, 2), options: {} };
    try {
      acknowledged.push({ write, answer: await client.ingest(write) });
      if (acknowledged.length === ENOUGH) killed = kill();
    } catch {
      // Nobody was told of it.
    }
  });
  await killed;
  return acknowledged;
};

interface Running {
  url: string;
  kill(): Promise<void>;
}

const MAIN_SIZE = { writes: 18, size: 6 };
const OTHER_SIZE = { writes: 4, size: 4 };

/**
 * Fills organizations, the first of which writes when the service is killed; then `again` is told what it
 * was, and answers.
 *
 * @param again starts the same build on what the kill left
 */
export const tell = async (
  keys: readonly { org: string; apiKey: string }[],
  first: Running,
  again: () => Promise<Running>,
): Promise<OrganizationThen[]> => {
  const filled: Filled[] = [];
  for (const [i, { apiKey }] of keys.entries()) {
    const { writes, size } = i === 0 ? MAIN_SIZE : OTHER_SIZE;
    filled.push(await fill(await connect({ url: first.url, apiKey }), writes, size));
  }
  const main = await connect({ url: first.url, apiKey: keys[0]!.apiKey });
  filled[0]!.acknowledged.push(...(await killedAmid(main, first.kill)));

  const second = await again();
  await settled(second.url, 120_000);
  const organizations: OrganizationThen[] = [];
  for (const [i, { acknowledged, ...rest }] of filled.entries()) {
    const client = await connect({ url: second.url, apiKey: keys[i]!.apiKey });
    const answers = await answersOf(client);
    const writes = [];
    for (const { write } of acknowledged) writes.push({ write, again: await client.ingest(write) });
    organizations.push({ ...keys[i]!, ...rest, answers, writes });
  }
  return organizations;
};

/** Makes another organization; resolves with its API key. */
export const secondOrganization = async (environment: Record<string, string>): Promise<string> => {
  const { stdout, stderr } = await runCommand(['orgs', 'create', 'beta'], environment);
  const apiKey = /API key: (\S+)/.exec(stdout)?.[1];
  if (!apiKey) throw new Error(stdout + stderr);
  await runCommand(['orgs', 'set-limits', 'beta', '--tokens-in', '5000000'], environment);
  return apiKey;
};
