/**
 * `npm run fit:present -- FILE... [--dry]`: fits which turn says what holds now, and which ones it replaces,
 * on the training stories and chats and on the questions about the present of data sets (LoCoMo or JSON
 * Lines).
 * Reports it with attributes, conversations and authors left out, and writes fitted.json (not with --dry).
 * Offline: no service runs.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import { makeLanguage } from '../../../../domain/language/language.ts';
import { NOW_ROW } from '../../../../domain/ranking/present/decide.ts';
import { PAIR_FEATURES } from '../../../../domain/ranking/present/pair-features.ts';
import { describe, TURN_FEATURES } from '../../../../domain/ranking/present/turn-features.ts';
import { makeWording } from '../../../../domain/ranking/present/wording.ts';
import { seededRandom } from '../../../bench/load/conversation.ts';
import { AUTHORS, readWordings } from '../../../training/changes/read-attributes.ts';
import { storiesOf } from '../../../training/changes/stories.ts';
import { readChats } from '../../../training/chats/read-chats.ts';
import { storiesOfChat } from '../../../training/chats/stories-of-chats.ts';
import { parsedBy, runCommand, wrongUsage } from '../../command.ts';
import { readDataset } from '../../datasets/read-dataset.ts';
import { named, rounded } from '../rounded.ts';
import { type CaseWeights, fitOrder, fitReplaced, type ReadCase } from './fit-weights.ts';
import { fitWording, linesOf, linesOfChat } from './fit-wording.ts';
import { caseOfStory, casesOfConversation, type PresentCase } from './present-cases.ts';
import { markFigures, orderFigures } from './present-figures.ts';

const FOLDS = 5;
const SEED = 7;
/** Chosen on the curve: keeps lose nothing, and a data set's question counts as much as two stories. */
const COUNTS: CaseWeights = { question: 2, change: 1 };
const CURVE: readonly CaseWeights[] = [
  { question: 1, change: 1 },
  { question: 2, change: 2 },
  COUNTS,
  { question: 3, change: 2 },
  { question: 3, change: 3 },
];
const THRESHOLDS = [0.2, 0.3, 0.4, 0.45, 0.5, 0.6];
/** Chosen on the curve of marks: a mark on what holds harms more than one that is missing. */
const MARKED_FROM = 0.4;

const language = makeLanguage(
  readFileSync(new URL('../../../../domain/language/vectors/static-vectors.bin', import.meta.url)),
);
const isWording = (author: string): boolean => (AUTHORS as readonly string[]).includes(author);
const folds = (names: readonly string[]): ((name: string) => number) => {
  const places = new Map([...new Set(names)].map((name, i) => [name, i % FOLDS]));
  return name => places.get(name)!;
};
const numbers = Array.from({ length: FOLDS }, (_, fold) => fold);

await runCommand('fit:present', () => {
  const { values, positionals: files } = parsedBy(() =>
    parseArgs({ allowPositionals: true, options: { dry: { type: 'boolean' } } }),
  );
  if (files.length === 0) throw wrongUsage('usage: npm run fit:present -- FILE... [--dry]');
  const random = seededRandom(SEED);
  const wordings = AUTHORS.map(readWordings);
  const chats = readChats();
  const lines = [...wordings.flatMap(linesOf), ...chats.flatMap(linesOfChat)];
  const stories = [...wordings.flatMap(one => storiesOf(one, random)), ...chats.flatMap(storiesOfChat)].map(
    story => caseOfStory(language, story),
  );
  const authors = [...AUTHORS, ...new Set(chats.map(({ author }) => author))];
  const questions = files
    .flatMap(file => readDataset(file).conversations)
    .flatMap(conversation => casesOfConversation(language, conversation));
  console.log(`${stories.length} stories, ${lines.length} wordings, ${questions.length} questions`);
  /** A chat is left out with its author: the stories of one chat have its turns in common. */
  const apart = ({ author, of }: { author: string | undefined; of: string }): string =>
    author === undefined || isWording(author) ? of : author;
  const byGroup = folds(stories.map(apart));
  const byConversation = folds(questions.map(({ of }) => of));
  const foldOf = ({ author, of }: PresentCase): number =>
    author === undefined ? byConversation(of) : byGroup(apart({ author, of }));

  // 1. The wordings; a story is read by those that were fitted on other attributes or authors.
  const wording = fitWording(lines);
  const wordingOf = makeWording(wording);
  const wordingsWithout = numbers.map(fold =>
    makeWording(
      fitWording(lines.filter(({ author, attribute: of }) => byGroup(apart({ author, of })) !== fold)),
    ),
  );
  const read = (one: PresentCase, by: typeof wordingOf): ReadCase => ({
    ...one,
    described: describe({ language, wordingOf: by }, one.prepared, one.turns),
  });
  const cases = [
    ...stories.map(one => read(one, wordingsWithout[foldOf(one)]!)),
    ...questions.map(one => read(one, wordingOf)),
  ];

  // 2. The order, with a fifth of the attributes and conversations left out, and each author.
  const leftOut = (counts: CaseWeights) => {
    const weights = numbers.map(fold =>
      fitOrder(
        cases.filter(one => foldOf(one) !== fold),
        counts,
      ),
    );
    return (one: ReadCase) => weights[foldOf(one)]!;
  };
  const orderOf = leftOut(COUNTS);
  console.log('what holds is first, and evidence of the data sets, percent, left out');
  console.table([
    { by: 'words alone', ...orderFigures(cases) },
    ...CURVE.map(counts => ({
      by: `question ${counts.question}, change ${counts.change}`,
      ...orderFigures(cases, counts === COUNTS ? orderOf : leftOut(counts)),
    })),
  ]);
  console.table(
    authors.map(author => {
      const by = makeWording(fitWording(lines.filter(line => line.author !== author)));
      const weights = fitOrder(
        cases.filter(one => one.author !== author),
        COUNTS,
      );
      const own = stories.filter(one => one.author === author).map(one => read(one, by));
      const plain = orderFigures(own);
      const { change, keep } = orderFigures(own, () => weights);
      const asked = `${own.filter(({ isAsked }) => isAsked).length} of ${own.length}`;
      return {
        'without author': author,
        asked,
        'change, words alone': plain.change,
        change,
        'keep, words alone': plain.keep,
        keep,
      };
    }),
  );

  // 3. The marks, by an order and marks that never saw the case.
  const marksWithout = numbers.map(fold =>
    fitReplaced(
      cases.filter(one => foldOf(one) !== fold),
      orderOf,
    ),
  );
  console.log('marks, percent of stories, left out');
  console.table(markFigures(cases, orderOf, one => marksWithout[foldOf(one)]!, THRESHOLDS));

  if (values.dry) return;
  const { answers, now } = fitOrder(cases, COUNTS);
  const replaced = fitReplaced(cases, orderOf);
  const content = {
    madeBy: 'npm run fit:present',
    madeOn: new Date().toISOString().slice(0, 10),
    stories: stories.length,
    data: files.map(file => basename(file)),
    questions: questions.length,
    answers: named(TURN_FEATURES, answers),
    now: named(NOW_ROW, now),
    replaced: {
      from: MARKED_FROM,
      intercept: rounded(replaced.intercept),
      weights: named(PAIR_FEATURES, replaced.weights),
    },
    wording,
  };
  const file = new URL('../../../../domain/ranking/present/fitted.json', import.meta.url);
  writeFileSync(file, `${JSON.stringify(content, null, 2)}\n`);
});
