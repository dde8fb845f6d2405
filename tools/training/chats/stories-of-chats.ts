import type { Label, Story } from '../changes/stories.ts';
import type { Chat } from './read-chats.ts';

/**
 * Returns the stories that a chat tells: of the value that changes, asked in each way, and of the one that
 * stays.
 */
export const storiesOfChat = (chat: Chat): Story[] => {
  const { author, number, attribute, turns, keep } = chat;
  const story = (
    kind: 'change' | 'keep',
    n: number,
    of: string,
    question: string,
    labelOf: (turn: number) => Label,
  ): Story => ({
    id: `${author}/${number}/${kind}/${n}`,
    author,
    attribute: of,
    kind,
    question,
    turns: turns.map(({ marks: _, ...turn }, i) => ({ ...turn, label: labelOf(i) })),
  });
  return [
    ...chat.questions.map((question, n) =>
      story('change', n, attribute, question, turn => {
        if (chat.answer.includes(turn)) return 'holds';
        return chat.old.includes(turn) ? 'over' : 'other';
      }),
    ),
    story('keep', 0, keep.attribute, keep.question, turn => {
      if (chat.keepAnswer.includes(turn)) return 'holds';
      return chat.keepNot.includes(turn) ? 'unchanged' : 'other';
    }),
  ];
};
