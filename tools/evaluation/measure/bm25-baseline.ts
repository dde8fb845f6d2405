import type { Language } from '../../../domain/language/language.ts';
import { bm25, inverseFrequency } from '../../../domain/search/bm25.ts';
import type { Conversation, Question } from '../datasets/dataset.ts';
import { offlineScope } from '../offline.ts';

/** Anserini's parameters for passages as short as turns. */
const K1 = 0.9;
const B = 0.4;

/**
 * Adds speakers, as chats are usually indexed: this gains 1 point on LoCoMo and 3 on QMSum over the words
 * alone.
 */
const withSpeakers = (conversation: Conversation): Conversation => ({
  ...conversation,
  sessions: conversation.sessions.map(session => ({
    ...session,
    turns: session.turns.map(turn => ({ ...turn, text: `${turn.role}: ${turn.text}` })),
  })),
});

/**
 * Ranks turns as a plain search engine does: BM25 of each turn, `speaker: words`, for the words of the
 * question. Stemmed and without English stop words by the product's own analysis; idf and lengths are those
 * of the conversation. No neighbours, dates or vectors.
 *
 * @returns at most `most` ids of the conversation's turns for a question, best first; turns without any of
 * its words are left out
 */
export const bm25Baseline = (language: Language, conversation: Conversation, most: number) => {
  const { candidates, names, statistics } = offlineScope(language, withSpeakers(conversation));
  return ({ question, until }: Question): string[] => {
    // No speakers are passed: words that name them count like all others.
    const { stems } = language.analyseQuery(question, []);
    const { turns, meanLength, turnsWith } = statistics(stems);
    const idf = Float64Array.from(stems, stem => inverseFrequency(turns, turnsWith(stem)));
    const idfSum = idf.reduce((sum, value) => sum + value, 0);
    const last = until === undefined ? Number.POSITIVE_INFINITY : Date.parse(until);
    return candidates
      .filter(({ timestamp }) => timestamp <= last)
      .map(({ document, key }) => {
        const counts = Array.from(stems, stem => document.counts[document.stems.indexOf(stem)] ?? 0);
        return { key, score: bm25(counts, document.length, meanLength, idf, idfSum, K1, B) };
      })
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score || a.key - b.key)
      .slice(0, most)
      .map(({ key }) => names[key]!);
  };
};
