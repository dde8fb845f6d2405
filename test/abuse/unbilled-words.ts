/** A tenant that wants to read words without paying for them: through the receipts of its recalls. */
import { expect } from 'vitest';
import type { RecallAnswer, RecallBody } from '../../schemas/http/recall.ts';
import type { ReceiptAnswer } from '../../schemas/http/receipts.ts';
import { type Client, expectStatus } from '../support/http/client.ts';

/** Words that occur once each, so that it can be seen which of them leave. */
const marked = (name: string, words: number): string =>
  Array.from({ length: words }, (_, n) => `${name}${n}`).join(' ');

/** A long turn, one of questions before a statement, one with marks that a context escapes, and facts. */
export const writeMarked = async (client: Client): Promise<void> => {
  const texts = [
    `My kettle ${marked('alpha', 300)}.`,
    `How is ${marked('beta', 60)}? Where is ${marked('gamma', 60)}? I bought a kettle of ${marked('delta', 20)}.`,
    `The "kettle" said \\ "${marked('epsilon', 10)}" ${'"'.repeat(40)} and ${marked('zeta', 200)}.`,
    `Thanks! The kettle is ${marked('eta', 5)}.`,
    ...Array.from({ length: 8 }, (_, n) => `Kettle number ${n} is ${marked(`theta${n}x`, 30)}.`),
  ];
  await client.ingest({
    scope: { session_id: 'marked' },
    turns: texts.map((text, n) => ({
      role: 'user',
      text,
      timestamp: new Date(Date.UTC(2026, 0, 1 + n)).toISOString(),
      ...(n === 3 && {
        observations: [
          {
            text: `The kettle has ${marked('iota', 80)}.`,
            subject: 'kettle',
            attribute: 'colour',
            value: 'red',
          },
        ],
      }),
    })),
  });
};

const each = <T extends object>(...options: T[][]): object[] =>
  options.reduce<object[]>(
    (made, choices) => made.flatMap(one => choices.map(choice => ({ ...one, ...choice }))),
    [{}],
  );

/** All ways in which less than the hits can be asked for. */
export const WAYS = each<Partial<RecallBody>>(
  [{}, { include_hits: false }],
  [{}, { include_timeline: true }],
  [{}, { context_max_tokens: 50 }, { context_max_tokens: 300 }],
  [{}, { max_tokens: 80 }, { passages: true }],
  [{}, { min_score: 0.9 }],
);

const wordsOf = (text: string): string[] => text.match(/[\p{L}\p{N}]+/gu) ?? [];

/** The words of the turns that an answer has. */
const told = ({ hits, timeline, context }: RecallAnswer): Set<string> =>
  new Set(wordsOf(JSON.stringify([hits, timeline, context])));

/** Returns how a recall was asked whose receipt gives away words that its answer did not have. */
export const unbilledOf = async (client: Client, way: object): Promise<object[]> => {
  const answer = await client.recall({ q: 'What of the kettle?', receipt: true, ...way });
  const before = (await client.today()).tokens_out;
  const path = `/recalls/${answer.receipt_id}`;
  const receipt = expectStatus(await client.request<ReceiptAnswer>('GET', path), 200);
  expect((await client.today()).tokens_out).toBe(before);
  const had = told(answer);
  const given = receipt.hits.flatMap(({ text = '', content = '', label = '' }) =>
    wordsOf(`${text} ${content} ${label}`),
  );
  const more = [...new Set(given)].filter(word => !had.has(word));
  const billed = answer.usage.tokens_out;
  return more.length === 0 ? [] : [{ way, billed, more: more.length, words: more.slice(0, 3).join(' ') }];
};
