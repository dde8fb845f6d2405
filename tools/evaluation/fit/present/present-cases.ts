import type { Language } from '../../../../domain/language/language.ts';
import { passageAt } from '../../../../domain/language/passages.ts';
import { type Prepared, prepare } from '../../../../domain/ranking/features/features.ts';
import type { ReadTurn } from '../../../../domain/ranking/present/turn-features.ts';
import { placesToRead } from '../../../../domain/ranking/present-first.ts';
import { rank } from '../../../../domain/ranking/rank.ts';
import type { Kind, Story } from '../../../training/changes/stories.ts';
import type { Conversation } from '../../datasets/dataset.ts';
import { isForPresent } from '../../measure/for-present.ts';
import { type OfflineScope, offlineScope } from '../../offline.ts';

/** A question for the present with the turns among which its answer is looked for, best first. */
export interface PresentCase {
  /** The id of a story, or a data set's conversation and the place of the question in it. */
  id: string;
  kind: Kind | 'question';
  /** The author of a story and its attribute; of a data set's question, its conversation. */
  author: string | undefined;
  of: string;
  question: string;
  /** Whether it is taken for a question about the present. */
  isAsked: boolean;
  prepared: Prepared;
  turns: ReadTurn[];
  /** Each turn's place in a story, or its id in the data set. */
  names: string[];
  /** `holds`: evidence of a data set's question, too. */
  labels: ('holds' | 'over' | 'other')[];
  /** Number of turns that are evidence. */
  evidence: number;
}

const best = (language: Language, scope: OfflineScope, question: string) => {
  const query = language.analyseQuery(question, scope.speakers);
  const prepared = prepare(query, scope.statistics(query.stems), scope.candidates);
  const ranked = rank(prepared, scope.candidates);
  const turns = placesToRead(ranked).map((place): ReadTurn => {
    const one = ranked[place]!;
    const text = scope.texts[one.candidate.key]!;
    const part = one.candidate.part && passageAt(text, one.candidate.part.index);
    return { one, text: part ? text.slice(part.from, part.to) : text };
  });
  return { prepared, turns, names: turns.map(({ one }) => scope.names[one.candidate.key]!) };
};

export const caseOfStory = (language: Language, story: Story): PresentCase => {
  const turns = story.turns.map(({ label: _, ...turn }, i) => ({ ...turn, id: String(i) }));
  const sessions = [{ id: 's', turns }];
  const { question, kind, author, attribute } = story;
  const scope = offlineScope(language, { id: story.id, sessions, questions: [] });
  const found = best(language, scope, question);
  const labels = found.names.map(name => {
    const { label } = story.turns[Number(name)]!;
    return label === 'holds' || label === 'over' ? label : 'other';
  });
  const isAsked = isForPresent(question);
  return { id: story.id, kind, author, of: attribute, question, isAsked, ...found, labels, evidence: 1 };
};

/** The questions of a conversation that have an answer and are taken for questions about the present. */
export const casesOfConversation = (language: Language, conversation: Conversation): PresentCase[] => {
  const scope = offlineScope(language, conversation);
  return conversation.questions.flatMap(({ answerable, evidence, question }, place): PresentCase[] => {
    if (!answerable || evidence.length === 0 || !isForPresent(question)) return [];
    const found = best(language, scope, question);
    const labels = found.names.map(name =>
      evidence.includes(name) ? ('holds' as const) : ('other' as const),
    );
    const { id: of } = conversation;
    const about = { id: `${of}/${place}`, kind: 'question' as const, author: undefined, of, isAsked: true };
    return [{ ...about, question, ...found, labels, evidence: evidence.length }];
  });
};
