import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Conversation } from '../../../../tools/evaluation/datasets/dataset.ts';
import { readDataset } from '../../../../tools/evaluation/datasets/read-dataset.ts';
import { temporaryFolder } from '../../../support/processes/server.ts';

/** Written by hand after the published formats: none of their data is here. */
const folderOf = (files: Record<string, unknown>): string => {
  const folder = temporaryFolder();
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content));
  }
  return folder;
};
const fileOf = (name: string, content: unknown): string => join(folderOf({ [name]: content }), name);

const turnsOf = ({ sessions }: Conversation): string[][] =>
  sessions.map(({ id, turns }) => [id, ...turns.map(turn => `${turn.id} ${turn.role}: ${turn.text}`)]);

describe('QMSum', () => {
  const meeting = {
    topic_list: [],
    general_query_list: [{ query: 'Summarize the meeting', answer: 'They met .' }],
    specific_query_list: [
      {
        query: "What did the chair 's deputy say ?",
        answer: '',
        relevant_text_span: [
          ['2', '3'],
          ['3', '3'],
        ],
      },
      { query: 'Everything?', answer: '', relevant_text_span: [['0', '40']] },
      {
        query: 'Nothing?',
        answer: '',
        relevant_text_span: [
          ['90', '91'],
          ['1', '1'],
        ],
      },
    ],
    meeting_transcripts: [
      { speaker: 'The Chair', content: "I {disfmarker} I 'm in , OK ?" },
      { speaker: 'The Chair', content: '{vocalsound}' },
      { speaker: `Deputy [acting] ${'x'.repeat(70)}`, content: 'No " way " .' },
      ...Array.from({ length: 12 }, (_, i) => ({ speaker: 'Clerk', content: `Item ${i} .` })),
    ],
  };

  it('is a meeting a file: evidence is spans of turns, at most ten, and noises are no words', () => {
    const { unit, headline, conversations } = readDataset(fileOf('Quince12.json', meeting));
    expect({ unit, headline }).toEqual({ unit: undefined, headline: 'answerable' });
    const [conversation] = conversations;
    expect(conversation!.id).toBe('Quince12');
    const [lines] = turnsOf(conversation!);
    expect(lines!.slice(0, 4)).toEqual([
      'meeting',
      "t0 The Chair: I I'm in, OK?",
      expect.stringMatching(/^t2 Deputy \(acting\) x+…: No " way "\.$/),
      't3 Clerk: Item 0.',
    ]);
    expect([...conversation!.sessions[0]!.turns[1]!.role]).toHaveLength(64);
    expect(conversation!.sessions[0]!.turns[1]!.timestamp).toBe('2024-01-01T10:00:20.000Z');
    // One asks for more than ten turns, the other for turns that aren't there.
    expect(conversation!.questions).toEqual([
      {
        id: 'q1',
        question: "What did the chair's deputy say?",
        category: 'specific',
        evidence: ['t2', 't3'],
        answerable: true,
      },
    ]);
  });

  it('is read a meeting a line, and a folder of meetings', () => {
    const lines = fileOf('val.jsonl', `${JSON.stringify(meeting)}\n\n${JSON.stringify(meeting)}\n`);
    expect(readDataset(lines).conversations.map(({ id }) => id)).toEqual(['val 1', 'val 3']);
    const folder = folderOf({ 'a10.json': meeting, 'a2.json': meeting, 'notes.txt': 'xylophone' });
    expect(readDataset(folder).conversations.map(({ id }) => id)).toEqual(['a2', 'a10']);
  });
});

describe('FriendsQA', () => {
  const scene = (title: string, uid: number) => ({
    title,
    paragraphs: [
      {
        'utterances:': [
          { uid: 0, speakers: ['Ada Quince', 'Ben Rowan'], utterance: 'The kettle is on !' },
          { uid: 1, speakers: ['#NOTE#'], utterance: '( They sit down . )' },
        ],
        qas: [
          {
            id: `${title}_What_Paraphrased`,
            question: 'What is on ?',
            answers: [
              { answer_text: 'kettle', utterance_id: uid, inner_start: 1, inner_end: 1, is_speaker: false },
              { answer_text: 'it', utterance_id: uid, inner_start: 1, inner_end: 1, is_speaker: false },
            ],
          },
          { id: `${title}_Who`, question: 'Who ?', answers: [] },
        ],
      },
    ],
  });

  it('is a scene a session and a season a conversation, also of several files', () => {
    const folder = folderOf({
      'dev.json': { data: [scene('s01_e02_c03', 0), scene('s02_e01_c01', 1)] },
      'tst.json': { data: [scene('s01_e02_c04', 1)] },
    });
    const { conversations } = readDataset(folder);
    expect(conversations.map(({ id }) => id)).toEqual(['s01', 's02']);
    expect(turnsOf(conversations[0]!)).toEqual([
      [
        's01_e02_c03',
        's01_e02_c03:0 Ada Quince, Ben Rowan: The kettle is on !',
        's01_e02_c03:1 #NOTE#: ( They sit down . )',
      ],
      expect.objectContaining({ 0: 's01_e02_c04' }),
    ]);
    expect(conversations[0]!.sessions.map(({ turns }) => turns[1]!.timestamp)).toEqual([
      '2024-01-02T11:00:10.000Z',
      '2024-01-02T11:30:10.000Z',
    ]);
    expect(conversations[0]!.questions).toEqual([
      {
        id: 's01_e02_c03_What_Paraphrased',
        question: 'What is on ?',
        category: 'what',
        evidence: ['s01_e02_c03:0'],
        answerable: true,
      },
      expect.objectContaining({ evidence: ['s01_e02_c04:1'] }),
    ]);
  });
});

describe('BEAM', () => {
  const chat = [
    {
      batch_number: 1,
      turns: [
        [
          { role: 'user', id: 0, time_anchor: 'March-15-2024', content: 'I plant quinces. ->-> 1,1' },
          { role: 'assistant', id: 1, content: 'Do!' },
        ],
        [{ role: 'user', id: 2, content: 'Now pears.' }],
      ],
    },
    {
      batch_number: 2,
      turns: [[{ role: 'user', id: 3, time_anchor: 'April-02-2024', content: 'They grow.' }]],
    },
  ];
  const questions = {
    abstention: [{ question: 'Which soil?', why_unanswerable: 'never said', source_chat_ids: [0] }],
    contradiction_resolution: [
      { question: 'Quinces?', source_chat_ids: { first_statement: [2], second_statement: [0, [2]] } },
    ],
    event_ordering: [{ question: 'In which order?', source_chat_ids: [0, 2, 99] }],
    summarization: [{ question: 'All?' }],
  };
  const files = (name: string) => ({
    [`${name}chat.json`]: chat,
    [`${name}probing_questions/probing_questions.json`]: questions,
  });

  it('is a folder a chat: evidence is the messages named, abstention has no answer', () => {
    const folder = folderOf({ ...files('10/'), ...files('9/'), 'empty/chat.json': chat });
    const { conversations } = readDataset(folder);
    expect(conversations.map(({ id }) => id)).toEqual(['9', '10']);
    const [conversation] = conversations;
    expect(turnsOf(conversation!)).toEqual([
      ['batch_1', 't0 user: I plant quinces.', 't1 assistant: Do!', 't2 user: Now pears.'],
      ['batch_2', 't3 user: They grow.'],
    ]);
    expect(conversation!.sessions.flatMap(({ turns }) => turns.map(({ timestamp }) => timestamp))).toEqual([
      '2024-03-15T00:00:00.000Z',
      '2024-03-15T00:00:10.000Z',
      '2024-03-15T00:00:20.000Z',
      '2024-04-02T00:00:00.000Z',
    ]);
    expect(conversation!.questions).toMatchObject([
      { id: 'abstention 1', category: 'abstention', evidence: [], answerable: false },
      { id: 'contradiction_resolution 1', evidence: ['t2', 't0'], answerable: true },
      { id: 'event_ordering 1', evidence: ['t0', 't2'], answerable: true },
    ]);
    expect(readDataset(join(folder, '9')).conversations).toHaveLength(1);
  });
});

describe('RealMem', () => {
  const session = (uuid: string, day: string, ...turns: object[]) => ({
    session_identifier: `Garden:${uuid}`,
    session_uuid: uuid,
    current_time: `${day} (Monday)`,
    dialogue_turns: turns,
    extracted_memory: [],
  });
  const said = (content: string) => ({ speaker: 'User', is_query: false, content, query_id: null });
  const asked = (content: string, query_id: string) => ({
    speaker: 'User',
    is_query: true,
    content,
    query_id,
    category_name: 'Static Retrieval',
  });
  const answer = (used: object) => ({ speaker: 'Assistant', is_query: false, content: 'So.', ...used });
  const person = {
    _metadata: { person_name: 'Ada_Quince', total_sessions: 3 },
    dialogues: [
      session('aaaa', '2025-12-15', said('I plant quinces.')),
      session('bbbb', '2025-12-15', said('I plant pears.')),
      session(
        'cccc',
        '2025-12-16',
        asked('What do I plant?', 'Q-1'),
        answer({ memory_session_uuids: ['bbbb', 'cccc', 'zzzz'] }),
        asked('And before?', 'Q-1'),
        answer({ memory_used: [{ session_uuid: 'aaaa', content: 'quinces' }] }),
        asked('Really?', 'Q-2'),
        answer({}),
      ),
    ],
  };

  it('labels sessions, and a query is asked of those before its own', () => {
    const { unit, conversations } = readDataset(fileOf('Ada_Quince_dialogues_256k.json', person));
    expect(unit).toBe('session');
    expect(conversations.map(({ id }) => id)).toEqual(['Ada_Quince']);
    const [{ sessions, questions }] = conversations as [Conversation];
    expect(sessions.map(({ id, turns }) => [id, turns[0]!.id, turns[0]!.role, turns[0]!.timestamp])).toEqual([
      ['aaaa', 'aaaa:0', 'user', '2025-12-15T00:00:00.000Z'],
      ['bbbb', 'bbbb:0', 'user', '2025-12-15T00:00:10.000Z'],
      ['cccc', 'cccc:0', 'user', '2025-12-16T00:00:00.000Z'],
    ]);
    const until = '2025-12-15T23:59:59.000Z';
    const category = 'Static Retrieval';
    expect(questions).toEqual([
      { id: 'Q-1', question: 'What do I plant?', category, evidence: ['bbbb'], answerable: true, until },
      { id: 'Q-1 2', question: 'And before?', category, evidence: ['aaaa'], answerable: true, until },
    ]);
  });
});

describe('a published set', () => {
  it('is refused with all its faults, without a word of it', () => {
    const folder = folderOf({
      'a.json': { meeting_transcripts: [{ speaker: 'xylophone' }], specific_query_list: {} },
      'b.json': {
        meeting_transcripts: [],
        specific_query_list: [{ query: 'q', relevant_text_span: [['x', '1']] }],
      },
    });
    const message = `${folder} is not in the QMSum format, nothing was loaded:
  a.json: meeting_transcripts.0.content is required; specific_query_list must be an array
  b.json: specific_query_list.0.relevant_text_span.0.0 must be digits`;
    expect(() => readDataset(folder)).toThrow(message);
  });

  it.each([
    ['is a folder of nothing', { 'a.txt': '{}' }, /holds no data in one of the formats/],
    ['is a folder of something else', { 'a.json': { xylophone: 1 } }, /holds no data in one of the formats/],
    [
      'has a broken line',
      { 'a.json': '{"meeting_transcripts":[\nxylophone' },
      /a\.json is not JSON: line 1$/,
    ],
    [
      'has no questions',
      { 'a.json': { meeting_transcripts: [], specific_query_list: [] } },
      /has no questions$/,
    ],
  ])('that %s is refused', (_, files, fault) => {
    const folder = folderOf(files);
    expect(() => readDataset(folder)).toThrow(fault);
    expect(() => readDataset(folder)).not.toThrow('xylophone');
  });
});
