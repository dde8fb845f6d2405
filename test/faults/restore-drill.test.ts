/**
 * The drill of docs/operate/backup.md on a data folder: copied, written to and erased from afterwards, lost;
 * restored elsewhere, what was taken away since is taken away again, verified.
 */
import { readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeDecode } from '../../core/log/events.ts';
import type { IngestAnswer } from '../../schemas/http/ingestion.ts';
import { inFolder } from '../contracts/openers/log.ts';
import { copyStopped } from '../support/files/copied-folder.ts';
import { said, wordsOf } from '../support/files/erased-words.ts';
import { untilGone, wordsIn, wordsInFolder } from '../support/files/find-words.ts';
import { type Client, connect, expectStatus, inParallel, send, settled } from '../support/http/client.ts';
import { rounds } from '../support/long.ts';
import { runCommand } from '../support/processes/command-line.ts';
import { type Server, startServer, temporaryFolder } from '../support/processes/server.ts';
import { until } from '../support/wait.ts';

const USERS = ['ada', 'grace', 'edsger'];
const SESSIONS = ['work', 'home'];
const WRITERS = 4;
/** Before the copy, while it is made, and after it. */
const WRITES = rounds(60, 600);

interface Written {
  user: string;
  session: string;
  n: number;
  answer: IngestAnswer;
}

const startWriters = (client: Client) => {
  const written: Written[] = [];
  let n = 0;
  let isOver = false;
  const writer = async (): Promise<void> => {
    while (!isOver) {
      const number = n++;
      const user = USERS[number % USERS.length]!;
      const session = SESSIONS[number % SESSIONS.length]!;
      const answer = await client.ingest(said(user, session, number));
      written.push({ user, session, n: number, answer });
    }
  };
  const running = Promise.all(Array.from({ length: WRITERS }, writer));
  return {
    written,
    more: (count: number) => {
      const enough = written.length + count;
      return Promise.race([running, until(`${count} writes`, () => written.length >= enough, 60_000)]);
    },
    stop: async () => {
      isOver = true;
      await running;
    },
  };
};

const environmentOf = (dataDir: string) => ({ TURNSTONE_DATA_DIR: dataDir, TURNSTONE_LOG_LEVEL: 'error' });
const operate = async (dataDir: string, ...args: string[]): Promise<string> => {
  const outcome = await runCommand(args, environmentOf(dataDir));
  expect(outcome, outcome.stdout + outcome.stderr).toMatchObject({ status: 0 });
  return outcome.stdout;
};

const recalled = async (client: Client, word: string): Promise<string> =>
  JSON.stringify(await client.recall({ q: word, top_k: 30, include_timeline: true }));

/** All that was taken away after the copy was made. */
interface TakenAway {
  words: string[];
  hidden: Written;
  apiKey: string;
  list: string;
}

/** A user is erased, a session of another, a turn is hidden, a key revoked. */
const takeAway = async (
  { client, server, written }: { client: Client; server: Server; written: readonly Written[] },
  { apiKey, keyId, since }: { apiKey: string; keyId: string; since: string },
): Promise<TakenAway> => {
  const hidden = written.find(({ user, session }) => user === 'grace' && session === 'home')!;
  for (const scope of [{ user_id: 'ada' }, { user_id: 'grace', session_id: 'work' }])
    expectStatus(await client.request('DELETE', '/memory', { scope: { org_id: 'any', ...scope } }), 200);
  const turn = `/memory/turns/${hidden.answer.active_fragment_ids[0]}`;
  expectStatus(await client.request('DELETE', turn), 204);
  expectStatus(await client.request('DELETE', `/me/api-keys/${keyId}`), 204);
  const list = join(temporaryFolder(), 'removals.jsonl');
  const told = await operate(server.dataDir, 'removals', 'list', '--since', since, '--output', list);
  expect(told).toMatch(/^\d+ removals in /);
  const words = [...wordsOf('ada', ''), ...wordsOf('grace', 'work')];
  // The list is kept beside the copies for as long as these are: it must say nothing. In quotes, since three
  // letters of hexadecimal digits are in many an id.
  expect(wordsIn(readFileSync(list), [...words, '"ada"', 'grace'])).toEqual([]);
  return { words, hidden, apiKey, list };
};

const isErased = ({ user, session }: Written): boolean =>
  user === 'ada' || (user === 'grace' && session === 'work');

/** Everything that was acknowledged before the copy is there, once, and nothing that was taken away. */
const check = async (
  restored: Server,
  { before, words, hidden, apiKey }: TakenAway & { before: readonly Written[] },
): Promise<void> => {
  const client = await connect(restored);
  await settled(restored.url, 60_000);
  const lost: number[] = [];
  const kept = before.filter(one => !isErased(one));
  const usage = await client.today();
  await inParallel(kept.length, 4, async i => {
    const { user, session, n, answer } = kept[i]!;
    const again = await client.ingest(said(user, session, n));
    const ids = n === hidden.n ? [] : answer.active_fragment_ids;
    if (again.usage.tokens_in > 0 || `${again.active_fragment_ids}` !== `${ids}`) lost.push(n);
  });
  expect(lost).toEqual([]);
  expect(await client.today()).toEqual(usage);
  for (const word of words) expect(wordsIn(Buffer.from(await recalled(client, word)), [word])).toEqual([]);
  const gone = wordsOf(hidden.user, hidden.session, hidden.n)[0]!;
  expect(await recalled(client, gone)).not.toContain(`${gone} `);
  const refused = await send(`${restored.url}/auth/token-exchange`, 'POST', { api_key: apiKey });
  expect(refused.status).toBe(403);
};

/** The bill by the log: every turn and every recall once, also of what was erased. */
const billedIn = (folder: string): Promise<{ tokens_in: number; tokens_out: number }> =>
  inFolder(folder, async ({ keys, records }) => {
    const decode = makeDecode(keys);
    const turns = new Map<string, number>();
    const recalls = new Map<string, { tokens_in: number; tokens_out: number }>();
    for (const record of [...(await records('turns')), ...(await records('usage'))]) {
      const decoded = await decode(record);
      if (decoded.kind === 'poison') continue;
      for (const { id, type, tokens, data } of decoded.events) {
        if (type === 'turn.recorded') turns.set(id, tokens!);
        if (type === 'recall.metered') recalls.set(id, data as { tokens_in: number; tokens_out: number });
      }
    }
    const sum = (values: Iterable<number>): number => [...values].reduce((total, one) => total + one, 0);
    return {
      tokens_in: sum(turns.values()) + sum([...recalls.values()].map(each => each.tokens_in)),
      tokens_out: sum([...recalls.values()].map(each => each.tokens_out)),
    };
  });

const newKey = async (client: Client): Promise<{ apiKey: string; keyId: string }> => {
  const body = { name: 'lent' };
  const made = await client.request<{ api_key: string; id: string }>('POST', '/me/api-keys', body);
  const { api_key: apiKey, id: keyId } = expectStatus(made, 201);
  return { apiKey, keyId };
};

describe('a data folder that is restored from a copy', () => {
  for (const how of ['while it ran', 'while it was stopped'] as const)
    it(`made ${how} has all that was acknowledged before, and nothing that was erased since`, async () => {
      let server = await startServer();
      let client = await connect(server);
      const lent = await newKey(client);
      let writers = startWriters(client);
      await writers.more(WRITES);
      const before = [...writers.written];
      const since = new Date().toISOString();
      let copy: string;
      if (how === 'while it ran') {
        const backup = join(temporaryFolder(), 'backup');
        await operate(server.dataDir, 'backup', backup);
        copy = join(temporaryFolder(), 'data');
        await operate(copy, 'restore', backup);
      } else {
        await writers.stop();
        before.push(...writers.written.slice(before.length));
        expect(await server.stop(), server.stdout() + server.stderr()).toBe(0);
        copy = copyStopped(server.dataDir);
        server = await startServer({ dataDir: server.dataDir });
        client = await connect(server);
        writers = startWriters(client);
      }
      await writers.more(WRITES);
      await writers.stop();
      const taken = await takeAway({ client, server, written: before }, { ...lent, since });
      // The machine is lost.
      await server.kill();

      const cut = join(temporaryFolder(), 'cut.jsonl');
      const whole = readFileSync(taken.list);
      writeFileSync(cut, whole);
      truncateSync(cut, whole.lastIndexOf('{"end"'));
      const refused = await runCommand(['removals', 'repeat', cut], environmentOf(copy));
      expect(refused.status).toBe(1);
      expect(refused.stderr).toContain('the file was cut short');

      const told = await operate(copy, 'removals', 'repeat', taken.list);
      expect(told).toMatch(/removals repeated\.$/m);
      const again = await operate(copy, 'removals', 'repeat', taken.list, '--dry-run');
      expect(again).toMatch(/^0 removals of .* would be repeated/);

      const restored = await startServer({ dataDir: copy });
      await check(restored, { ...taken, before });
      expect(await operate(copy, 'verify')).toContain('no differences');
      await untilGone(copy, taken.words);
      const { tokens_in, tokens_out } = await (await connect(restored)).today();
      expect(await restored.stop()).toBe(0);
      expect({ tokens_in, tokens_out }).toEqual(await billedIn(copy));

      // Nor can anybody open it: the keys are not in their file, and a replay finds no words.
      const keys = readFileSync(taken.list, 'utf8')
        .match(/(?<="key_ids":\[)[^\]]+/g)!
        .join();
      const ids = [...new Set(keys.split(',').map(id => JSON.parse(id) as string))];
      expect(ids.length).toBeGreaterThanOrEqual(2);
      expect(Object.keys(wordsInFolder(copy, ids)).filter(name => name.startsWith('keys'))).toEqual([]);
      await operate(copy, 'replay', 'all');
      await untilGone(copy, taken.words);
    });
});
