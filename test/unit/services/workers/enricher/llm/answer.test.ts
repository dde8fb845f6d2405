import { describe, expect, it } from 'vitest';
import { registry } from '../../../../../../schemas/events/registry.ts';
import { readAnswer } from '../../../../../../services/workers/enricher/llm/answer.ts';
import { extracted, turnRecorded } from '../../../../../support/worlds/builders.ts';

const answer = (content: unknown, choice: object = {}, message: object = {}) => ({
  choices: [{ finish_reason: 'stop', message: { role: 'assistant', content, ...message }, ...choice }],
});
const found = (observations: unknown, entities: unknown = []) =>
  answer(JSON.stringify({ observations, entities }));
const facts = (...texts: string[]) => found(texts.map(text => ({ text })));
const textsOf = (completion: unknown): string[] => {
  const read = readAnswer(completion);
  if (!read.ok) throw new Error(read.reason);
  return read.extraction.observations.map(({ text }) => text);
};

describe('an answer of use', () => {
  it('gives facts and entities', () => {
    const observations = [{ text: 'Ada sold her car on 3 July 2026.' }];
    const entities = [{ label: 'Ada', kind: 'person' }];
    const extraction = { observations, entities };
    expect(readAnswer(found(observations, entities))).toEqual({ ok: true, extraction });
    const dated = [...entities, { label: '2026-07-03', kind: 'date' }];
    expect(readAnswer(found(observations, dated))).toEqual({ ok: true, extraction });
    expect(readAnswer(found([]))).toEqual({ ok: true, extraction: { observations: [], entities: [] } });
  });

  it('loses what is empty, too long or said twice', () => {
    const long = 'x'.repeat(4_096);
    const texts = ['Ada  sold\n her car. ', '', ' \u0000 ', '…', 'Ada sold HER car!', long, `${long}x`];
    expect(textsOf(facts(...texts))).toEqual(['Ada sold her car.', long]);
    const labels = ['The Shire', 'shire', ' ', '!', 'é'.repeat(257), 'Bree'];
    const read = readAnswer(
      found(
        [],
        labels.map(label => ({ label, kind: 'place' })),
      ),
    );
    const entities = ['The Shire', 'Bree'].map(label => ({ label, kind: 'place' }));
    expect(read).toEqual({ ok: true, extraction: { observations: [], entities } });
  });

  it('ends at 64 of each', () => {
    const many = Array.from({ length: 70 }, (_, n) => `fact ${n}`);
    expect(textsOf(facts(...many))).toEqual(many.slice(0, 64));
    const entities = many.map(label => ({ label, kind: 'other' }));
    const read = readAnswer(found([], entities));
    expect(read.ok && read.extraction.entities).toEqual(entities.slice(0, 64));
  });

  it('is text that UTF-8 can write, in the schema of the event', () => {
    const [text] = textsOf(answer('{"observations":[{"text":"a \\ud800 b \\u0007 c"}],"entities":[]}'));
    expect(text).toBe('a \ufffd b c');
    const read = readAnswer(found([{ text: 'a' }], [{ label: 'Ada', kind: 'person' }]));
    if (!read.ok) throw new Error(read.reason);
    const { data } = extracted(0, turnRecorded(0), {
      source: 'llm',
      extractor: 'llm-3:x',
      ...read.extraction,
    });
    expect(registry.checkData('observations.extracted', 1, data).ok).toBe(true);
  });
});

describe('an answer of no use is named by its kind, without its words', () => {
  const WORDS = 'the turn says swordfish';
  it.each([
    ['an answer without a choice', {}],
    ['an answer without a choice', null],
    ['an answer without a choice', 'swordfish'],
    ['an answer without a choice', { choices: [] }],
    ['an answer without a choice', { choices: [null] }],
    ['an answer without a choice', { choices: { 0: answer('{}').choices[0] } }],
    ['an answer without a choice', { error: { message: WORDS } }],
    ['a refusal', answer(null, {}, { refusal: WORDS })],
    ['an answer that was filtered', answer(WORDS, { finish_reason: 'content_filter' })],
    ['an answer that was cut off', answer('{"observations":[{"te', { finish_reason: 'length' })],
    ['an answer without content', answer(null)],
    ['an answer without content', answer([{ type: 'text', text: WORDS }])],
    ['content that is not JSON', answer(WORDS)],
    ['content that is not JSON', answer('')],
    ['content of another schema', answer('[]')],
    ['content of another schema', answer('{"observations":[]}')],
    ['content of another schema', found([WORDS])],
    ['content of another schema', found([{ text: 7 }])],
    ['content of another schema', found([{ text: 'a', source: 'client' }])],
    ['content of another schema', found([], [{ label: 'Ada', kind: 'hero' }])],
    ['content of another schema', answer('{"observations":[],"entities":[],"org_id":"other"}')],
    ['content of another schema', answer('{"__proto__":{"observations":[],"entities":[]}}')],
  ])('%s', (reason, completion) => {
    expect(readAnswer(completion)).toEqual({ ok: false, reason });
  });
});
