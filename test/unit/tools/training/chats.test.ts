import { describe, expect, it } from 'vitest';
import { chatsIn, readChats } from '../../../../tools/training/chats/read-chats.ts';
import { storiesOfChat } from '../../../../tools/training/chats/stories-of-chats.ts';

const SOURCE = `## 3 gym

who: user, assistant
question: Which gym do I go to?
question: where do i work out
keep: employer | Who do I work for?

1 | 2024-01-08 | user | signed up at [PureGym|gym|me|then] with [Ben|friend|me|now]
2 | 2024-01-08 | assistant | Good start!
3 | 2024-05-02 | user | [The Lift Room|gym|me|now] then, says [Halvorsen|employer|nobody|no]
answer: 3
old: 1
keep answer: 1
keep not: 3
`;

describe('a training chat', () => {
  it('is read with its marks and without their signs', () => {
    const [chat] = chatsIn('someone', SOURCE);
    expect(chat).toMatchObject({
      author: 'someone',
      number: 3,
      attribute: 'gym',
      keep: { attribute: 'employer', question: 'Who do I work for?' },
      answer: [2],
      old: [0],
    });
    const [first] = chat!.turns;
    expect(first!.text).toBe('signed up at PureGym with Ben');
    expect(first!.marks.map(({ from, to }) => first!.text.slice(from, to))).toEqual(['PureGym', 'Ben']);
    expect(first!.marks[1]).toMatchObject({ attribute: 'friend', whose: 'me', stance: 'now' });
  });

  it('tells a story of each question', () => {
    const stories = storiesOfChat(chatsIn('someone', SOURCE)[0]!);
    expect(stories.map(({ kind, attribute }) => `${kind} ${attribute}`)).toEqual([
      'change gym',
      'change gym',
      'keep employer',
    ]);
    expect(stories[0]!.turns.map(({ label }) => label)).toEqual(['over', 'other', 'holds']);
    expect(stories[2]!.turns.map(({ label }) => label)).toEqual(['holds', 'other', 'unchanged']);
  });

  it.each([
    ['a stance that is none', SOURCE.replace('me|then', 'me|once'), 'no such stance'],
    ['a message that is not there', SOURCE.replace('answer: 3', 'answer: 9'), 'there is no message 9'],
    ['a message out of its place', SOURCE.replace('2 | 2024', '4 | 2024'), 'not in its place'],
    ['a date that is none', SOURCE.replace('2024-05-02', '2024-5-2'), 'not understood'],
    ['no question of what stays', SOURCE.replace(/^keep: .*$/m, ''), 'no keep'],
  ])('is refused with %s', (_, source, message) => {
    expect(() => chatsIn('someone', source)).toThrow(message);
  });
});

describe('the training chats', () => {
  const chats = readChats();
  it('are five hundred, of a hundred and more attributes, by six authors', () => {
    expect(chats.length).toBeGreaterThanOrEqual(500);
    expect(new Set(chats.map(({ author }) => author)).size).toBe(6);
    expect(new Set(chats.map(({ attribute }) => attribute)).size).toBeGreaterThanOrEqual(100);
  });

  it('mark what their questions ask for where they say that it is', () => {
    for (const { author, number, attribute, keep, turns, ...places } of chats) {
      const marked = (turn: number, of: string): boolean =>
        turns[turn]!.marks.some(mark => mark.attribute === of);
      const told = [...places.answer, ...places.old].every(turn => marked(turn, attribute));
      const kept = [...places.keepAnswer, ...places.keepNot].every(turn => marked(turn, keep.attribute));
      expect({ author, number, told, kept }).toEqual({ author, number, told: true, kept: true });
      expect(turns.map(({ timestamp }) => timestamp)).toEqual(
        turns.map(({ timestamp }) => timestamp).toSorted(),
      );
    }
  });
});
