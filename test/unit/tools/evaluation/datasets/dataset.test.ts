import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseLocomo } from '../../../../../tools/evaluation/datasets/locomo.ts';
import { datasetOfLocomo } from '../../../../../tools/evaluation/datasets/locomo-dataset.ts';
import { readDataset } from '../../../../../tools/evaluation/datasets/read-dataset.ts';
import { temporaryFolder } from '../../../../support/processes/server.ts';

const TURN = { speaker: 'Ada', dia_id: 'D1:1', text: 'The quince tree stands by the well.' };
const SAMPLE = {
  sample_id: 'conv-1',
  conversation: { session_1: [TURN], session_1_date_time: '1:56 pm on 8 May, 2023' },
  qa: [
    { question: 'Which tree?', category: 4, evidence: ['D1:1'] },
    { question: 'Which year?', category: 2, evidence: [] },
    { question: 'Which rose?', category: 5, evidence: ['D1:1'] },
  ],
};
const LINES = [
  '{"type":"turn","conversation":"c","session":"s","id":"t","role":"Ada","text":"Hi.","timestamp":"2026-01-05T09:00:00Z"}',
  '{"type":"question","conversation":"c","question":"Who?","evidence":["t"]}',
];

const folder = temporaryFolder();
const fileOf = (name: string, content: string | Buffer): string => {
  const file = join(folder, name);
  writeFileSync(file, content);
  return file;
};
const read = (name: string, content: string | Buffer) => readDataset(fileOf(name, content));

describe('LoCoMo', () => {
  it('keeps an adversarial question with its distractor and drops what has no evidence', () => {
    expect(datasetOfLocomo(parseLocomo(JSON.stringify([SAMPLE])))).toEqual({
      headline: '1-4',
      conversations: [
        {
          id: 'conv-1',
          sessions: [
            {
              id: 'session_1',
              turns: [{ id: 'D1:1', role: 'Ada', text: TURN.text, timestamp: '2023-05-08T13:56:00.000Z' }],
            },
          ],
          questions: [
            {
              id: 'q1',
              question: 'Which tree?',
              category: '4 single-hop',
              evidence: ['D1:1'],
              answerable: true,
            },
            {
              id: 'q3',
              question: 'Which rose?',
              category: '5 adversarial',
              evidence: ['D1:1'],
              answerable: false,
            },
          ],
        },
      ],
    });
  });
});

describe('a file', () => {
  it('is known by its name or its first character', () => {
    const lines = LINES.join('\n');
    expect(read('a.jsonl', `\uFEFF${lines}`).headline).toBe('answerable');
    expect(read('a.txt', `\n ${lines}`).headline).toBe('answerable');
    expect(read('a.json', ` ${JSON.stringify([SAMPLE])}`).headline).toBe('1-4');
  });

  const twoFaults = `${LINES[0]}\n{"type":"turn"\n${LINES[1]!.replace('"t"', '"u"')}`;
  it.each([
    ['faulty lines', 'a.jsonl', twoFaults, /has 2 faulty lines.*\n {2}line 2: .*\n {2}line 3: [^\n]*$/],
    ['a list under the name of JSON Lines', 'a.jsonl', '[1]', /line 1: is no JSON object$/],
    ['neither of the formats', 'a.csv', 'role,text', /is neither JSON Lines nor JSON in one of/],
    ['nothing', 'a.json', '', /is neither JSON Lines nor JSON in one of/],
    ['no questions', 'a.jsonl', LINES[0]!, /has no questions$/],
    ['bytes that are no UTF-8', 'a.jsonl', Buffer.from([0x7b, 0xff]), /is not UTF-8$/],
    ['broken JSON', 'a.json', '[{"text":"xylophone"', /is not JSON$/],
    ['other JSON', 'a.json', '[{"sample_id":"a","conversation":{}}]', /LoCoMo format: 0\.qa is required$/],
    [
      'a category that LoCoMo has not',
      'a.json',
      JSON.stringify([{ ...SAMPLE, qa: [{ ...SAMPLE.qa[0], category: 6 }] }]),
      /LoCoMo format: 0\.qa\.0\.category must be at most 5$/,
    ],
    [
      'a session without its time',
      'a.json',
      JSON.stringify([{ ...SAMPLE, conversation: { session_1: [TURN] } }]),
      /LoCoMo format: a session, its time or the evidence/,
    ],
  ])('with %s is refused by its name', (_, name, content, fault) => {
    const file = fileOf(name, content);
    expect(() => readDataset(file)).toThrow(fault);
    expect(() => readDataset(file)).toThrow(file);
    expect(() => readDataset(file)).not.toThrow('xylophone');
  });

  it('that is not there is told as such', () => {
    expect(() => readDataset(join(folder, 'none.json'))).toThrow(/can't read .*none\.json: ENOENT$/);
  });
});
