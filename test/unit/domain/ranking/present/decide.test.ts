import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { makeLanguage } from '../../../../../domain/language/language.ts';
import { prepare } from '../../../../../domain/ranking/features/features.ts';
import { makeDecide } from '../../../../../domain/ranking/present/decide.ts';
import { placesToRead } from '../../../../../domain/ranking/present-first.ts';
import { rank } from '../../../../../domain/ranking/rank.ts';
import { offlineScope } from '../../../../../tools/evaluation/offline.ts';

const language = makeLanguage(
  readFileSync(new URL('../../../../../domain/language/vectors/static-vectors.bin', import.meta.url)),
);
const { describe: describeTurns, decide } = makeDecide();

/** Decides over a chat of a line a week, by Ilse unless a speaker is before a colon. */
const decided = (question: string, ...lines: string[]): { first: string; replaced: string[] } => {
  const turns = lines.map((line, i) => {
    const [, role = 'Ilse', text = ''] = /^(?:(\w+): )?(.*)$/.exec(line)!;
    const timestamp = new Date(Date.UTC(2026, 0, 1 + 7 * i)).toISOString();
    return { id: String(i), role, text, timestamp };
  });
  const scope = offlineScope(language, { id: 'c', sessions: [{ id: 's', turns }], questions: [] });
  const query = language.analyseQuery(question, scope.speakers);
  const prepared = prepare(query, scope.statistics(query.stems), scope.candidates);
  const ranked = rank(prepared, scope.candidates);
  const read = placesToRead(ranked).map(place => {
    const one = ranked[place]!;
    return { one, text: scope.texts[one.candidate.key]! };
  });
  const { first, replaced } = decide(question, prepared, describeTurns(language, prepared, read));
  return { first: read[first]!.text, replaced: replaced.map(i => read[i]!.text) };
};

const TALK = ['Kalle: did it rain at yours too?', 'the kettle is broken', 'Kalle: see you on the pier'];

describe('of the turns about a state', () => {
  it('the one that tells a new value is first, and the old one is replaced', () => {
    const old = 'I work at Veltrix, in the warehouse.';
    const now = 'I have left Veltrix, I work at Oderhaus now.';
    expect(decided('Where does Ilse work?', old, ...TALK, now)).toEqual({ first: now, replaced: [old] });
  });

  it.each([
    ["another's value", 'my sister works at Oderhaus now'],
    ['a plan that failed', 'I nearly took a job at Oderhaus, but I turned them down'],
    ['a time that is over', 'as a student I worked at Oderhaus'],
  ])('one that names %s changes nothing', (_, later) => {
    const holds = 'I work at Veltrix, in the warehouse.';
    expect(decided('Where does Ilse work?', holds, ...TALK, later)).toEqual({ first: holds, replaced: [] });
  });

  it('nothing is replaced by one that adds, nor where several are asked for', () => {
    const old = 'I play the cello.';
    expect(decided('What does Ilse play?', old, ...TALK, 'I play the oboe too now.').replaced).toEqual([]);
    const now = 'I have switched, I play the oboe now.';
    expect(decided('Which instruments does Ilse play?', old, ...TALK, now).replaced).toEqual([]);
  });
});
