/** Fills an organization, and says what it answers: for tests that carry it to another installation. */
import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import type { IngestAnswer } from '../../../schemas/http/ingestion.ts';
import type { RecallAnswer } from '../../../schemas/http/recall.ts';
import { type Client, settled } from '../http/client.ts';
import { sentence, turn } from './builders.ts';

/** Both installations run at this instant: what is billed today is so in both. */
export const CLOCK = '2026-03-10T08:00:00Z';

const QUESTIONS = [
  sentence(3),
  'Who lives in Lisbon?',
  'What does Grace like?',
  'violin',
  'my aunt and the telescope',
];

/** Some turns are older than a claim lives, and some are not. */
const writes = [
  {
    scope: { user_id: 'ada', session_id: 'old' },
    turns: Array.from({ length: 12 }, (_, n) =>
      turn(n, {
        role: n % 2 ? 'Grace' : 'user',
        observations: n % 4 === 0 ? [`ref${n} was worth a fortune`] : [],
      }),
    ),
  },
  {
    scope: { user_id: 'grace', session_id: 'new' },
    turns: [
      turn(50, { text: 'I live in Lisbon and I like chess.', timestamp: '2026-03-09T20:00:00Z' }),
      turn(51, { text: 'My sister Marta works at the harbour in Oslo.', timestamp: '2026-03-09T20:01:00Z' }),
    ],
  },
  {
    scope: { user_id: 'grace', session_id: 'new' },
    options: { write_passive: false },
    turns: [turn(60, { text: 'Nobody extracts from this one: I moved to Kyoto.' })],
  },
  {
    scope: { user_id: 'ada', session_id: 'hidden' },
    options: { write_active: false },
    turns: [turn(61, { text: 'I have a dog called Bruno.', observations: ['Bruno is a dog'] })],
  },
  // A write of known turns and one more.
  { scope: { user_id: 'ada', session_id: 'old' }, turns: [turn(2), turn(70)], metadata: { from: 'a bot' } },
];

export const fill = async (client: Client, url: string): Promise<IngestAnswer[]> => {
  const answers: IngestAnswer[] = [];
  for (const write of writes) answers.push(await client.ingest(write));
  for (const q of QUESTIONS.slice(0, 2)) await client.recall({ q });
  await settled(url, 60_000);
  return answers;
};

/** The same writes once more: nothing is new to whoever took them in. */
export const expectKnown = async (client: Client): Promise<void> => {
  const before = await client.today();
  for (const write of writes) {
    const { usage, active_fragment_ids } = await client.ingest(write);
    expect(usage.tokens_in).toBe(0);
    expect(active_fragment_ids).toHaveLength(write.options?.write_active === false ? 0 : write.turns.length);
  }
  expect(await client.today()).toEqual(before);
};

const rounded = (score: number): number => Math.round(score * 1e9) / 1e9;

/** Answers without ids: those differ. */
const told = ({ hits, confidence, timeline }: RecallAnswer) => ({
  confidence: rounded(confidence),
  timeline,
  fragments: [...hits.turns, ...hits.observations]
    .map(({ id: _, superseded_by, score, ...own }) => {
      const rest = { ...own, isSuperseded: superseded_by !== undefined };
      if (rest.kind === 'turn') {
        const nested = rest.observations?.map(one => [one.text, one.attribute, one.value]).sort();
        return { ...rest, observations: nested, score: rounded(score) };
      }
      const { source_turn_ids: sources, subject, ...more } = rest;
      return { ...more, subject: subject?.label, score: rounded(score), sources: sources.length };
    })
    .sort((a, b) => b.score - a.score || (a.text < b.text ? -1 : 1)),
  entities: hits.entities
    .map(({ label, score }) => ({ label, score: rounded(score) }))
    .sort((a, b) => b.score - a.score || (a.label < b.label ? -1 : 1)),
});

/** Usage first: a recall costs. */
export const snapshot = async (client: Client) => {
  const usage = { today: await client.today(), month: await client.month('2026-03') };
  const answers = [];
  for (const q of QUESTIONS) {
    for (const scope of [{}, { user_id: 'ada' }, { user_id: 'grace', session_id: 'new' }]) {
      answers.push(told(await client.recall({ q, scope, include_timeline: true })));
      answers.push(told(await client.recall({ q, scope, mode: 'deep' })));
    }
  }
  // Two installations that answer nothing answer the same.
  expect(answers.filter(({ fragments }) => fragments.length > 3).length).toBeGreaterThan(answers.length / 2);
  expect(answers.some(({ entities }) => entities.length > 0)).toBe(true);
  return { usage, answers };
};

/** The events of a file by type, and its end. */
export const summaryOf = (path: string) => {
  const lines = readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    .map(line => JSON.parse(line) as { type?: string; end?: boolean; events?: number });
  const types: Record<string, number> = {};
  for (const { type } of lines.slice(1, -1)) types[type!] = (types[type!] ?? 0) + 1;
  return { header: lines[0], types, trailer: lines.at(-1) };
};
