/** Long turns by the part that matters, over HTTP. The same in both modes. */
import { expect } from 'vitest';
import { countTokens } from '../../core/tokens/count.ts';
import type { FragmentHit } from '../../schemas/http/parts/hits.ts';
import type { RecallAnswer, RecallBody } from '../../schemas/http/recall.ts';
import type { ReceiptAnswer } from '../../schemas/http/receipts.ts';
import { type Client, expectStatus, settled } from '../support/http/client.ts';

const Q = 'How do I keep the sourdough starter alive when I travel?';
/** In the paragraph that answers it, and nowhere else. */
const ANSWER = 'Feed the starter a stiff dough of rye flour';

const paragraph = (about: string, first: string): string =>
  `${first} ${`There is more to say of ${about}, which takes its time and its patience as well. `.repeat(3)}😀`;
const LONG = [
  paragraph('ovens', 'Heat the oven for an hour before the loaf goes in.'),
  paragraph('flour', 'Strong white flour is the easiest to begin with.'),
  paragraph(
    'starters',
    `${ANSWER} before you travel: a sourdough starter stays alive like this for three weeks.`,
  ),
  paragraph('knives', 'A loaf is scored with a razor blade.'),
  paragraph('bread', 'Bread is best on its second day.'),
].join('\n\n');
const NOTED = LONG.replaceAll('loaf', 'cake').replace('the starter', 'a starter');

const conversation = (user: string) => ({
  scope: { user_id: user, session_id: 'kitchen' },
  turns: [
    { role: 'user', text: 'Tell me all about baking bread.', timestamp: '2026-01-01T09:00:00Z' },
    { role: 'assistant', text: LONG, timestamp: '2026-01-01T09:01:00Z' },
    {
      role: 'user',
      text: 'Thank you, the sourdough starter is for my sister.',
      timestamp: '2026-01-01T09:02:00Z',
      observations: [NOTED],
    },
  ],
});

const hitsOf = ({ hits }: RecallAnswer): FragmentHit[] => [...hits.turns, ...hits.observations];
const longOf = (answer: RecallAnswer): FragmentHit =>
  hitsOf(answer).find(hit => hit.kind === 'turn' && hit.role === 'assistant')!;
const characters = (text: string, { from, to }: { from: number; to: number }): string =>
  Array.from(text).slice(from, to).join('');
/** Returns the hits without what depends on which words are shown. */
const withoutWords = (answer: RecallAnswer) => hitsOf(answer).map(({ text: _, content: __, ...hit }) => hit);

const expectBilled = ({ hits, timeline, context, usage }: RecallAnswer): void => {
  const texts = [
    ...[...hits.turns, ...hits.observations].map(({ text }) => text),
    ...hits.entities.map(({ label }) => label),
    ...[timeline, context].filter(text => text !== null),
  ];
  expect(usage.tokens_out).toBe(texts.reduce((sum, text) => sum + countTokens(text), 0));
};

const expectParts = async (client: Client, user: string, mode: 'active' | 'deep'): Promise<RecallAnswer> => {
  const ask = async (more: Partial<RecallBody> = {}): Promise<RecallAnswer> => {
    const answer = await client.recall({ q: Q, scope: { user_id: user }, mode, ...more });
    expectBilled(answer);
    return answer;
  };
  const whole = await ask();
  const parts = await ask({ passages: true });

  // The same hits, which say which part matters; short ones have none.
  expect(withoutWords(parts)).toEqual(withoutWords(whole));
  expect(parts.confidence).toBe(whole.confidence);
  expect(parts.usage.tokens_out).toBeLessThan(whole.usage.tokens_out / 2);
  const long = hitsOf(whole).filter(({ part }) => part);
  expect(long.map(({ kind }) => kind).toSorted()).toEqual(['observation', 'turn']);
  for (const hit of hitsOf(parts)) {
    const { content } = hitsOf(whole).find(({ id }) => id === hit.id)!;
    expect(hit.content).toBe(hit.part ? characters(content, hit.part) : content);
    expect(hit.text.endsWith(hit.content)).toBe(true);
    expect(hit.content).toBe(hit.content.trim());
  }
  expect(longOf(whole).content).toBe(LONG);
  const { content, text } = longOf(parts);
  expect(text).toBe(`[2026-01-01] [assistant] ${content}`);
  expect(content).toContain(ANSWER);
  expect(content.split(/\s+/).length).toBeLessThan(100);

  // A budget has room for the part, unless the whole is asked for.
  const turns = { kinds: ['turn' as const], max_tokens: countTokens(text) + 60 };
  expect(longOf(await ask(turns))).toMatchObject({ content });
  expect(longOf(await ask({ ...turns, passages: false }))).toBeUndefined();
  expect(longOf(await ask({ ...turns, passages: false, max_tokens: 100_000 }))).toMatchObject({
    content: LONG,
  });

  // The context and the timeline quote the part, whatever the hits are.
  const more = { include_context: true, include_timeline: true, kinds: ['turn' as const] };
  const { context, timeline } = await ask(more);
  expect(context).toMatch(new RegExp(`assistant: "… (.* )?${ANSWER}.* …"`));
  expect(context).not.toContain('Heat the oven');
  expect(timeline).toContain(`assistant: ${ANSWER}`);
  expect(await ask({ ...more, passages: true })).toMatchObject({ context, timeline });
  expect(await ask({ ...more, include_hits: false })).toMatchObject({ context, timeline });
  return parts;
};

/** Expects receipts, read anew, to show what was answered. */
const expectKept = async (client: Client, user: string): Promise<void> => {
  const kept = async (more: Partial<RecallBody>): Promise<[RecallAnswer, ReceiptAnswer]> => {
    const answer = await client.recall({ q: Q, scope: { user_id: user }, receipt: true, ...more });
    const path = `/recalls/${answer.receipt_id!}`;
    return [answer, expectStatus(await client.request<ReceiptAnswer>('GET', path), 200)];
  };
  for (const more of [{}, { passages: true }, { max_tokens: 400 }]) {
    const [answer, { hits }] = await kept(more);
    const shown = new Map(hits.map(hit => [hit.id, hit]));
    expect(hitsOf(answer).some(({ part }) => part)).toBe(true);
    for (const { id, text, content, part } of hitsOf(answer)) {
      expect(shown.get(id)).toMatchObject({ text, content });
      expect(shown.get(id)!.part).toEqual(part);
    }
  }
  const [{ context }, { hits }] = await kept({ include_context: true, include_hits: false });
  const { content, part } = hits.find(({ role }) => role === 'assistant')!;
  expect(content).toBe(characters(LONG, part!));
  expect(context).toContain(ANSWER);
  expect(content).toContain(ANSWER);
};

/** Before it is projected and after: the tail says the same as the index. */
export const expectPassages = async (url: string, client: Client): Promise<void> => {
  await client.ingest(conversation('ada'));
  await expectParts(client, 'ada', 'active');
  await settled(url);
  await expectParts(client, 'ada', 'active');
  await expectParts(client, 'ada', 'deep');
  await expectKept(client, 'ada');
};

/**
 * A long turn that says what holds is shown by the part that says so, whatever else in it has the words of
 * the question.
 */
export const expectHeldPart = async (url: string, client: Client): Promise<void> => {
  const moved = [
    'Where does one live well, and where do I live? '.concat(
      'To live in a town is to live with others, where everybody lives. '.repeat(5),
    ),
    'By the way: I moved to Porto last week.',
    'The kettle leaks again, and nobody repairs kettles any more in these times of ours. '.repeat(6),
  ].join('\n\n');
  await client.ingest({
    scope: { user_id: 'grace', session_id: 'home' },
    turns: [
      { role: 'user', text: 'I live in Rome.', timestamp: '2026-01-01T09:00:00Z' },
      { role: 'user', text: moved, timestamp: '2026-03-01T09:00:00Z' },
    ],
  });
  await settled(url);
  const { hits } = await client.recall({
    q: 'Where do I live?',
    scope: { user_id: 'grace' },
    passages: true,
    kinds: ['turn'],
  });
  expect(hits.turns[0]).toMatchObject({ said_at: '2026-03-01T09:00:00.000Z', part: {} });
  expect(hits.turns[0]!.content).toContain('I moved to Porto');
};
