import { readFileSync, writeFileSync } from 'node:fs';
import { type Language, makeLanguage } from '../../../domain/language/language.ts';
import { passageAt } from '../../../domain/language/passages.ts';
import { openStaticTable, type StaticTable } from '../../../domain/language/vectors/static-vectors.ts';
import { prepare } from '../../../domain/ranking/features/features.ts';
import { focusOf } from '../../../domain/ranking/present/focus.ts';
import { rank } from '../../../domain/ranking/rank.ts';
import { piecesOf, piecesOfTurn } from '../../../domain/reader/input.ts';
import { seededRandom } from '../../bench/load/conversation.ts';
import { offlineScope } from '../../evaluation/offline.ts';
import { AUTHORS, readWordings } from '../changes/read-attributes.ts';
import { type Story, storiesOf } from '../changes/stories.ts';
import { readChats } from '../chats/read-chats.ts';
import { storiesOfChat } from '../chats/stories-of-chats.ts';

const SEED = 7;

const isOfChat = ({ author }: Story): boolean => !(AUTHORS as readonly string[]).includes(author);

const lineOf = (language: Language, table: StaticTable, story: Story) => {
  const turns = story.turns.map(({ label: _, ...turn }, i) => ({ ...turn, id: String(i) }));
  const scope = offlineScope(language, { id: story.id, sessions: [{ id: 's', turns }], questions: [] });
  const query = language.analyseQuery(story.question, scope.speakers);
  const prepared = prepare(query, scope.statistics(query.stems), scope.candidates);
  return {
    // Wordings make many stories of one attribute, with turns of the same words.
    chat: isOfChat(story) ? story.id.split('/').slice(0, 2).join('/') : story.attribute,
    author: story.author,
    kind: story.kind,
    question: piecesOf(table, story.question),
    // The best turn first, as the ranking has them.
    turns: rank(prepared, scope.candidates).map(({ candidate }) => {
      const text = scope.texts[candidate.key]!;
      const part = candidate.part && passageAt(text, candidate.part.index);
      const focus = focusOf(language, prepared, candidate, part ? text.slice(part.from, part.to) : text);
      return {
        label: story.turns[candidate.key]!.label,
        pieces: piecesOfTurn(table, { role: candidate.role, ...focus }),
      };
    }),
  };
};

/**
 * Writes the training stories and chats as the product reads them, for fit.py: a line of JSON each, with the
 * word pieces of the question and of each turn, in the order of the product's own ranking.
 */
export const writeStories = (file: string): void => {
  const bytes = readFileSync(new URL('../../../domain/language/vectors/static-vectors.bin', import.meta.url));
  const [language, table] = [makeLanguage(bytes), openStaticTable(bytes)];
  const random = seededRandom(SEED);
  const wordings = AUTHORS.map(readWordings).flatMap(one => storiesOf(one, random));
  const chats = readChats().flatMap(storiesOfChat);
  const lines = [...wordings, ...chats].map(story => lineOf(language, table, story));
  writeFileSync(file, lines.map(line => `${JSON.stringify(line)}\n`).join(''));
  console.log(`${wordings.length} stories of wordings, ${chats.length} of chats`);
};
