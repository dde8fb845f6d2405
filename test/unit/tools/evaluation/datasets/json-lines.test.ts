import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseJsonLines } from '../../../../../tools/evaluation/datasets/json-lines.ts';

const turn = (id: string, members: object = {}) => ({
  type: 'turn',
  conversation: 'c1',
  session: 's1',
  id,
  role: 'Ada',
  text: 'The quince tree stands by the well.',
  timestamp: '2026-01-05T09:00:00Z',
  ...members,
});

const question = (members: object = {}) => ({
  type: 'question',
  conversation: 'c1',
  question: 'Where is the quince tree?',
  evidence: ['t1'],
  ...members,
});

const parse = (...lines: (object | string)[]) =>
  parseJsonLines(lines.map(line => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n'));

const datasetOf = (...lines: (object | string)[]) => {
  const parsed = parse(...lines);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.lines));
  return parsed.dataset;
};

/** `[line, fault]` of each fault. */
const faultsOf = (...lines: (object | string)[]) => {
  const parsed = parse(...lines);
  return parsed.ok ? [] : parsed.lines.flatMap(({ number, faults }) => faults.map(fault => [number, fault]));
};

describe('data as JSON Lines', () => {
  it('become conversations of sessions, whatever lines stand between theirs', () => {
    const { conversations, headline } = datasetOf(
      turn('t1'),
      turn('t2', { session: 's2', observations: ['Ada has a quince tree.'] }),
      '',
      turn('t1', { conversation: 'c2' }),
      turn('t3', { timestamp: '2026-01-05 09:00:00' }),
      `${JSON.stringify(question({ id: 'where', category: 'single-hop' }))}\r`,
      ' \t',
    );
    expect(headline).toBe('answerable');
    expect(conversations.map(({ id, sessions }) => [id, sessions.map(session => session.id)])).toEqual([
      ['c1', ['s1', 's2']],
      ['c2', ['s1']],
    ]);
    const [one] = conversations;
    expect(one!.sessions[0]!.turns.map(({ id }) => id)).toEqual(['t1', 't3']);
    expect(one!.sessions[1]!.turns).toEqual([
      {
        id: 't2',
        role: 'Ada',
        text: 'The quince tree stands by the well.',
        timestamp: '2026-01-05T09:00:00Z',
        observations: ['Ada has a quince tree.'],
      },
    ]);
    expect(one!.questions).toEqual([
      {
        id: 'where',
        question: 'Where is the quince tree?',
        category: 'single-hop',
        evidence: ['t1'],
        answerable: true,
      },
    ]);
  });

  it('have questions that are answerable when they have evidence, unless they say otherwise', () => {
    const [conversation] = datasetOf(
      turn('t1'),
      question({ evidence: ['t1', 't1'] }),
      question({ evidence: [] }),
      question({ answerable: false }),
    ).conversations;
    expect(conversation!.questions).toMatchObject([
      { id: 'q1', answerable: true, evidence: ['t1'] },
      { id: 'q2', answerable: false, evidence: [] },
      { id: 'q3', answerable: false, evidence: [] },
    ]);
  });

  it('are refused with all faults at once, by their lines', () => {
    expect(
      faultsOf(
        '{"type":"turn"',
        '["turn"]',
        { type: 'note' },
        turn('t1'),
        turn('t1'),
        turn('t2', { text: undefined, speaker: 'Ada', mood: 'glad' }),
        turn('t3', { timestamp: 'yesterday', role: '[Ada]' }),
        question({ evidence: ['t1', 't9'] }),
        question({ id: 'q1', question: '' }),
        question({ conversation: 'c2' }),
        question({ conversation: 'c3' }),
        turn('t1', { conversation: 'c3' }),
        question({ evidence: [], answerable: true }),
        question({ evidence: 't1' }),
      ),
    ).toEqual([
      [1, 'is not JSON'],
      [2, 'is no JSON object'],
      [3, 'type must be turn or question'],
      [5, 'id is that of line 4'],
      [6, 'text is required'],
      [6, 'must have no members but type, conversation, session, id, role, text, timestamp, observations'],
      [7, 'role must not have control characters, characters that reorder a text, or square brackets'],
      [7, 'timestamp must be an RFC 3339 timestamp, such as 2026-01-31T23:59:58Z'],
      [8, 'evidence.1 names no turn of its conversation'],
      [9, 'question must have at least 1 character'],
      [9, 'id is that of line 8'],
      [10, 'its conversation has no turns'],
      [11, 'its conversation has turns after it, to line 12'],
      [13, 'evidence must name a turn where answerable is true'],
      [14, 'evidence must be an array'],
    ]);
  });

  it('tell one fault once: a faulty turn is there to be named, and what lacks its names names nothing', () => {
    expect(faultsOf(turn('t1', { text: '' }), question())).toEqual([
      [1, 'text must have at least 1 character'],
    ]);
    expect(faultsOf(turn('t1'), turn('', { id: undefined }), turn('', { id: undefined }))).toEqual([
      [2, 'id is required'],
      [3, 'id is required'],
    ]);
    expect(faultsOf(turn('t1'), question({ conversation: undefined }))).toEqual([
      [2, 'conversation is required'],
    ]);
  });

  it('have no word quoted in a fault', () => {
    const secret = 'xylophone';
    const told = faultsOf(
      `{"text":"${secret}`,
      { type: secret },
      turn('t1', { [secret]: 1, timestamp: secret, role: `[${secret}]` }),
      question({ evidence: [secret], category: `${secret}\u0007`, answerable: secret }),
      question({ id: secret }),
      question({ id: secret }),
    );
    expect(told.length).toBeGreaterThan(6);
    expect(JSON.stringify(told)).not.toContain(secret);
  });

  it('may be as long as they are: the sample of the documentation', () => {
    const text = readFileSync(
      new URL('../../../../../tools/evaluation/datasets/sample.jsonl', import.meta.url),
      'utf8',
    );
    const { conversations } = datasetOf(text);
    expect(conversations.map(({ id, questions }) => [id, questions.length])).toEqual([
      ['friends', 4],
      ['assistant', 4],
    ]);
  });
});
