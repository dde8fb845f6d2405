import { readFileSync, writeFileSync } from 'node:fs';
import { makeLanguage } from '../../../domain/language/language.ts';
import { makeDecide, turnToRead } from '../../../domain/ranking/present/decide.ts';
import { openReader } from '../../../domain/reader/reader.ts';
import { fromBytes } from '../../../domain/reader/weights.ts';
import { seededRandom } from '../../bench/load/conversation.ts';
import { readDataset } from '../../evaluation/datasets/read-dataset.ts';
import { caseOfStory, casesOfConversation } from '../../evaluation/fit/present/present-cases.ts';
import { AUTHORS, readWordings } from '../changes/read-attributes.ts';
import { storiesOf } from '../changes/stories.ts';
import { readChats } from '../chats/read-chats.ts';
import { storiesOfChat } from '../chats/stories-of-chats.ts';

const SEED = 7;
const rounded = (odds: number): number => Math.round(odds * 100) / 100;

/**
 * Writes readings.json: what the reader says of all that it was told nothing of. That is the chats of the
 * authors that were left out, the stories of wordings, and the questions for the present of data sets.
 *
 * @param weights the file of pack.py
 * @param files of data sets; at least one
 */
export const writeReadings = (
  weights: string,
  authors: readonly string[],
  files: readonly string[],
): void => {
  const table = readFileSync(new URL('../../../domain/language/vectors/static-vectors.bin', import.meta.url));
  const language = makeLanguage(table);
  const read = openReader(fromBytes(readFileSync(weights)), table);
  const { describe } = makeDecide();
  const random = seededRandom(SEED);
  const stories = [
    ...AUTHORS.map(readWordings).flatMap(one => storiesOf(one, random)),
    ...readChats()
      .flatMap(storiesOfChat)
      .filter(({ author }) => authors.includes(author)),
  ].map(story => caseOfStory(language, story));
  const questions = files
    .flatMap(file => readDataset(file).conversations)
    .flatMap(conversation => casesOfConversation(language, conversation));

  const lines = [...stories, ...questions].map(one => {
    const described = describe(language, one.prepared, one.turns);
    const odds = read(one.question, described.map(turnToRead)).map(rounded);
    const byName = Object.fromEntries(one.names.map((name, i) => [name, odds[i]!]));
    return `  ${JSON.stringify(one.id)}: ${JSON.stringify(byName)}`;
  });
  writeFileSync(new URL('./readings.json', import.meta.url), `{\n${lines.join(',\n')}\n}\n`);
  console.log(`${stories.length} stories, ${questions.length} questions were read`);
};
