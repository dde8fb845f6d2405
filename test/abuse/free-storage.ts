/** A tenant that wants to keep more than it pays for: in observations, metadata, writes of nothing new. */
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { expect } from 'vitest';
import { type Caller, type Ingested, type Job, type Reply, turn, type Usage } from '../http/contract/kit.ts';

/** The daily cap that the service of this scenario has to be started with. */
export const CAP_IN = 14_000;

const sum = (texts: readonly string[]): number =>
  texts.reduce((tokens, text) => tokens + countTokens(text), 0);

const words = (tokens: number, seed: string): string => {
  const text = ` ${seed}`.repeat(tokens);
  expect(countTokens(text)).toBe(tokens);
  return text;
};

const write = (session_id: string, turns: unknown[], rest: object = {}) => ({
  scope: { org_id: 'any', session_id },
  turns,
  ...rest,
});

const usedToday = async (caller: Caller): Promise<number> =>
  (await caller.get<Usage>('/usage/today')).tokens_in;

/** How much the tenant has in the log, as its export shows. */
const kept = async (caller: Caller): Promise<{ events: number; characters: number }> => {
  const { status, text } = await caller.send('GET', '/export');
  expect(status).toBe(200);
  // The header has the time of the export.
  const [, ...lines] = text.trim().split('\n');
  return { events: lines.length, characters: lines.join('').length };
};

/** Checks that all that is stored beside the text is billed as it is kept, whatever the number of turns. */
const checkBilled = async (caller: Caller): Promise<void> => {
  const before = await usedToday(caller);
  const [one, two] = ['We saw the rings of Saturn.', 'Through a small telescope, even.'];
  const observations = Array.from({ length: 64 }, (_, i) => `Fact ${i}: 😀 ${'word '.repeat(i)}`);
  const metadata = { channel: 'support', nested: { list: [1, 'two', null], words: 'a '.repeat(500) } };
  const body = write(
    'billed',
    [turn(one, { observations }), turn(two, { observations: [{ text: 'said as an object' }] })],
    { metadata },
  );
  const first = await caller.ingest(body);
  const tokens = sum([one, two, 'said as an object', ...observations, JSON.stringify(metadata)]);
  expect(first.usage).toEqual({ tokens_in: tokens, tokens_out: 0 });
  expect(await usedToday(caller)).toBe(before + tokens);

  // A write of which a part is known bills the rest, and its own metadata once.
  const other = { channel: 'sales' };
  const partly = write('billed', [turn(one), turn('And its moons.'), turn('Four of them.')], {
    metadata: other,
  });
  const rest = sum(['And its moons.', 'Four of them.', JSON.stringify(other)]);
  expect((await caller.ingest(partly)).usage.tokens_in).toBe(rest);
  expect((await caller.ingest(partly)).usage.tokens_in).toBe(0);
  expect(await usedToday(caller)).toBe(before + tokens + rest);
};

/** Writes that race for the same turns: each bills its metadata only if it kept something. */
const checkRaces = async (caller: Caller): Promise<void> => {
  const before = await usedToday(caller);
  const texts = ['ash', 'birch', 'cedar', 'dogwood', 'elm', 'fir'].map(tree => `A ${tree} in the yard.`);
  const answers = await Promise.all(
    Array.from({ length: 24 }, (_, i) =>
      caller.ingest(
        write('raced', [turn(texts[i % 6]!), turn(texts[(i + 1 + (i % 3)) % 6]!)], { metadata: { i } }),
      ),
    ),
  );
  const paid = answers.filter(({ usage }) => usage.tokens_in > 0);
  expect(paid.length).toBeLessThanOrEqual(6);
  const billed = answers.reduce((tokens, { usage }) => tokens + usage.tokens_in, 0);
  const metadata = answers.flatMap(({ usage }, i) => (usage.tokens_in > 0 ? [JSON.stringify({ i })] : []));
  expect(billed).toBe(sum([...texts, ...metadata]));
  expect(await usedToday(caller)).toBe(before + billed);
};

/**
 * Any two of the known turns are another write: it keeps nothing and belongs to the write that kept its first
 * turn.
 */
const checkPermutations = async (caller: Caller): Promise<void> => {
  const bodies = [0, 1, 2].map(job =>
    write(
      'known',
      [0, 1, 2].map(n => turn(`Tree ${3 * job + n} of the orchard.`)),
    ),
  );
  const writes: Ingested[] = [];
  for (const body of bodies) writes.push(await caller.ingest(body));
  const turns = bodies.flatMap(body => body.turns);
  const ids = writes.flatMap(each => each.active_fragment_ids);
  const jobOf = (n: number): string => writes[Math.floor(n / 3)]!.job_id;

  const permute = async (times: number): Promise<void> => {
    for (let i = 0; i < times; i++) {
      const [a, b] = [i % 9, (i + 1 + (i % 7)) % 9];
      const metadata = { hidden: `${i} ${'x'.repeat(15_000)}` };
      const answer = await caller.ingest(write('known', [turns[a], turns[b]], { metadata }));
      expect(answer.usage).toEqual({ tokens_in: 0, tokens_out: 0 });
      expect(answer.job_id).toBe(jobOf(a));
      expect(answer.active_fragment_ids).toEqual([ids[a], ids[b]]);
      expect([answer.job_id.replace('job_', 'enr_'), null]).toContain(answer.passive_job_id);
      const job = await caller.get<Job>(`/ingestion/jobs/${answer.job_id}`);
      expect(job).toMatchObject({ turns: 3, status: expect.stringMatching(/queued|done/) });
    }
  };
  // While the turns are in the tail, and when the index has them.
  await permute(9);
  await expect
    .poll(async () => (await caller.get<Job>(`/ingestion/jobs/${jobOf(8)}`)).status, { timeout: 30_000 })
    .toBe('done');
  const before = { used: await usedToday(caller), ...(await kept(caller)) };
  await permute(63);
  expect({ used: await usedToday(caller), ...(await kept(caller)) }).toEqual(before);
  for (const [i, body] of bodies.entries())
    expect((await caller.ingest(body)).job_id).toBe(writes[i]!.job_id);
};

/** At the cap: nothing new is taken, what is known still is. */
const checkAtTheCap = async (caller: Caller): Promise<void> => {
  const send = (body: object): Promise<Reply> => caller.send('POST', '/ingestion/memory', body);
  const left = CAP_IN - (await usedToday(caller));
  expect((await send(write('cap', [turn(words(left - 10, 'fig'))]))).status).toBe(202);
  const observed = [turn('a', { observations: [words(10, 'b')] })];
  expect((await send(write('cap', observed))).status).toBe(429);
  expect((await send(write('cap', [turn('a')], { metadata: { b: words(10, 'b') } }))).status).toBe(429);
  const known = [turn('Tree 8 of the orchard.'), turn('Tree 1 of the orchard.')];
  const metadata = { hidden: words(1_000, 'c') };
  expect((await send(write('known', known, { metadata }))).status).toBe(202);
  expect((await send(write('cap', [turn(words(10, 'd'))]))).status).toBe(202);
  expect(await usedToday(caller)).toBe(CAP_IN);
  expect((await send(write('known', known, { metadata }))).status).toBe(202);
  expect(await usedToday(caller)).toBe(CAP_IN);
};

export const FREE_STORAGE = {
  'observations and metadata are billed, the metadata once for each write that kept something': checkBilled,
  'writes that race for the same turns bill what they kept, to the token': checkRaces,
  'permutations of known turns keep nothing and answer with the job of the first turn': checkPermutations,
  'at the cap only what is known is taken': checkAtTheCap,
};
