import type { Dataset } from './dataset.ts';
import { CATEGORIES, type LocomoConversation } from './locomo.ts';

export const ADVERSARIAL = 5;

/** Returns `2 temporal` for `2`, so that the categories sort by their numbers. */
export const categoryName = (category: number): string => `${category} ${CATEGORIES[category]}`;

/**
 * Returns LoCoMo as the evaluation takes it. Questions without evidence can't be measured and are left out.
 * An adversarial question is not answerable; its "evidence" is a distractor and is measured in rows of its
 * own, as is usual.
 */
export const datasetOfLocomo = (conversations: readonly LocomoConversation[]): Dataset => ({
  headline: '1-4',
  conversations: conversations.map(({ id, sessions, questions }) => ({
    id,
    sessions: sessions.map(session => ({
      id: session.id,
      turns: session.turns.map(({ diaId, speaker, text, timestamp }) => ({
        id: diaId,
        role: speaker,
        text,
        timestamp: new Date(timestamp).toISOString(),
      })),
    })),
    questions: questions.flatMap(({ question, category, evidence }, place) =>
      evidence.length === 0
        ? []
        : {
            id: `q${place + 1}`,
            question,
            category: categoryName(category),
            evidence,
            answerable: category !== ADVERSARIAL,
          },
    ),
  })),
});
