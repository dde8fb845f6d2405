import { describe, expect, test } from 'vitest';
import { commandsLike } from '../../../console/src/palette/commands.ts';
import { groupsOf, isLike, isQuestion } from '../../../console/src/palette/listing.ts';

const user = { user_id: 'family', sessions: 3, turns: 7, last_at: '2026-06-02T20:16:00Z' };
const commands = (typed: string, user?: string): string[] =>
  commandsLike(typed, { user, signOut: () => undefined }).map(({ title }) => title);

describe('words that are typed', () => {
  test('are each the beginning of a word, in any order and case', () => {
    expect(isLike('Audit log', 'lo AU')).toBe(true);
    expect(isLike('robin_smith', 'smi')).toBe(true);
    expect(isLike('Audit log', 'dit')).toBe(false);
    expect(isLike('anything', '  ')).toBe(true);
  });

  test('are a question if they end like one, or are many', () => {
    expect(isQuestion('roof?')).toBe(true);
    expect(isQuestion('when did Ben fix')).toBe(true);
    expect(isQuestion('family 2026-04')).toBe(false);
  });
});

describe('pages and commands', () => {
  test('are found by what people call them', () => {
    expect(commands('who did')).toEqual(['Audit log']);
    expect(commands('dark')).toEqual(['Dark colours']);
    expect(commands('log out')).toEqual(['Sign out']);
    expect(commands('zebra')).toEqual([]);
  });

  test('begin with those of the user whose page it is', () => {
    expect(commands('erase')).toEqual([]);
    expect(commands('erase', 'ada')).toContain('Download, expiry and erasure of ada');
    expect(commands('', 'ada')[0]).toBe('What is known of ada');
  });
});

describe('what the service found', () => {
  test('leads to its page, with the turn that has the words', () => {
    const groups = groupsOf({
      users: [user],
      sessions: [
        {
          user_id: 'family',
          session_id: '2026-04',
          title: 'The roof',
          turns: 2,
          first_at: null,
          last_at: null,
          match: { score: 0.5, by: 'text', text: 'I fixed the roof', turn_id: 'trn_1' },
        },
      ],
      turns: [],
      names: [{ id: 'ent_1', user_id: 'family', label: 'Ben', kind: 'person', turns: 2, aliases: [] }],
    });
    expect(groups.map(({ name, choices }) => [name, choices[0]?.title, choices[0]?.to])).toEqual([
      ['Users', 'family', '/users?user=family'],
      ['Conversations', 'The roof', '/users?user=family&session=2026-04&turn=trn_1'],
      ['Names', 'Ben', '/users?user=family&subject=Ben'],
    ]);
    expect(groups[1]!.choices[0]!.detail).toBe('family · I fixed the roof');
  });

  test('is shortened where it is long', () => {
    const [group] = groupsOf({
      users: [{ ...user, match: { score: 1, by: 'text', text: 'x'.repeat(500) } }],
    });
    expect(group!.choices[0]!.detail).toBe(`${'x'.repeat(160)} …`);
  });
});
