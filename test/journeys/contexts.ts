/**
 * Checks what a context says, whom a question asks about, and what is within a hit. The same in both modes.
 */
import { expect } from 'vitest';
import { countTokens } from '../../core/tokens/count.ts';
import { type Client, settled } from '../support/http/client.ts';

const DAY = Date.parse('2026-03-02T09:00:00Z');
const say = (client: Client, user: string, ...texts: string[]) =>
  client.ingest({
    scope: { user_id: user, session_id: 'chat' },
    turns: texts.map((said, i) => {
      const [, role = '', text = ''] = /^(user|assistant): (.*)$/.exec(said) ?? [];
      return { role, text, timestamp: new Date(DAY + i * 60_000).toISOString() };
    }),
  });

export const expectContexts = async (url: string, client: Client): Promise<void> => {
  await say(
    client,
    'persons',
    'user: My brother Alex lives in Oslo.',
    'user: My boss Alex lives in Rome.',
    'user: Where does Alex live again?',
    'assistant: Which Alex do you mean?',
  );
  await say(
    client,
    'keys',
    'user: The key of the car is in my coat.',
    'user: Where is the spare key?',
    'assistant: It hangs behind the shed door.',
    'user: ok thanks',
  );
  await say(
    client,
    'life',
    'user: I live in Ghent.',
    'user: I am allergic to peanuts.',
    'user: Always answer in French.',
    'user: My sister Lotte works as a nurse in Bruges.',
    'user: My sister Lotte drives a Volvo.',
    'assistant: Nice, thanks for telling me!',
    'user: I bought new curtains for the attic yesterday.',
  );
  await settled(url);
  const recall = (user: string, q: string, more = {}) =>
    client.recall({ scope: { user_id: user }, q, ...more });

  // The person who is asked about.
  for (const [who, town, other] of [
    ['brother', 'Oslo', 'Rome'],
    ['boss', 'Rome', 'Oslo'],
  ] as const) {
    const { hits, context } = await recall('persons', `Where does my ${who} Alex live?`, {
      include_context: true,
    });
    expect(hits.turns[0]!.content).toContain(town);
    expect(hits.turns[0]!.superseded_by).toBeUndefined();
    expect(context).toContain(`"${town}"`);
    expect(context).not.toContain(`home: "${other}"`);
  }
  const both = await recall('persons', 'Where does Alex live?');
  expect(
    both.hits.turns
      .slice(0, 2)
      .map(({ content }) => content)
      .sort(),
  ).toEqual(['My boss Alex lives in Rome.', 'My brother Alex lives in Oslo.']);
  expect(both.confidence).toBeLessThan(
    (await recall('persons', 'Where does my brother Alex live?')).confidence,
  );

  // No credit for being the question.
  const keys = await recall('keys', 'Where is the spare key?', { context_max_tokens: 200 });
  expect(keys.hits.turns[0]!.content).toBe('It hangs behind the shed door.');
  expect(keys.hits.turns.map(({ content }) => content)).not.toContain('Where is the spare key?');
  expect(keys.context).not.toMatch(/Where is the spare key|ok thanks/);

  // Facts that bear on the question come first; the standing set takes a fifth.
  const life = await recall('life', 'What does my sister do for work?', {
    context_max_tokens: 300,
    top_k: 5,
  });
  const [, , first] = life.context!.split('\n');
  expect(first).toContain('Lotte: job: "nurse');
  for (const always of ['"Ghent"', '"peanuts"', 'answer in French']) expect(life.context).toContain(always);
  expect(life.context).not.toContain('thanks for telling me');
  expect(countTokens(life.context!)).toBeLessThanOrEqual(300);

  // An observation is within its hit, billed, and said once.
  const turn = life.hits.turns.find(({ content }) => content.includes('nurse'))!;
  const nested = turn.observations?.[0] ?? life.hits.observations[0]!;
  expect(nested).toMatchObject({ attribute: 'job', subject: { label: 'Lotte' } });
  const own = life.hits.turns.flatMap(({ observations = [] }) => observations.map(({ id }) => id));
  expect(own).not.toEqual(expect.arrayContaining(life.hits.observations.map(({ id }) => id).concat('-')));
  const texts = [
    ...life.hits.turns.flatMap(({ text, observations = [] }) => [text, ...observations.map(one => one.text)]),
    ...life.hits.observations.map(({ text }) => text),
    ...life.hits.entities.map(({ label }) => label),
    life.context!,
  ];
  const total = texts.reduce((sum, text) => sum + countTokens(text), 0);
  expect(life.usage.tokens_out).toBe(total);
};
