/**
 * `npm run fit:present -- FILE... [--dry]`: fits which turn says what holds now, and which ones it replaces,
 * on the training stories and chats and on the questions about the present of data sets (LoCoMo or JSON
 * Lines); and, on what a reader says that never saw them (tools/training/reader/readings.json), what it adds.
 * Reports it with attributes, conversations and authors left out, and writes fitted.json (not with --dry).
 * Offline: no service runs.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import { makeLanguage } from '../../../../domain/language/language.ts';
import {
  firstOf,
  type Logistic,
  type OrderWeights,
  ROWS,
  weighted,
} from '../../../../domain/ranking/present/decide.ts';
import { sigmoid } from '../../../../domain/ranking/present/now-features.ts';
import { describe } from '../../../../domain/ranking/present/turn-features.ts';
import { makeWording } from '../../../../domain/ranking/present/wording.ts';
import { seededRandom } from '../../../bench/load/conversation.ts';
import { AUTHORS, readWordings } from '../../../training/changes/read-attributes.ts';
import { storiesOf } from '../../../training/changes/stories.ts';
import { readChats } from '../../../training/chats/read-chats.ts';
import { storiesOfChat } from '../../../training/chats/stories-of-chats.ts';
import { readingsOf } from '../../../training/reader/readings.ts';
import { parsedBy, runCommand, wrongUsage } from '../../command.ts';
import { readDataset } from '../../datasets/read-dataset.ts';
import { named, rounded } from '../rounded.ts';
import { type CaseWeights, fitOrder, fitReplaced, pairsOf, type ReadCase, weighCase } from './fit-weights.ts';
import { fitWording, linesOf, linesOfChat } from './fit-wording.ts';
import { caseOfStory, casesOfConversation, type PresentCase } from './present-cases.ts';
import { markFigures, orderFigures } from './present-figures.ts';

const FOLDS = 5;
const HALVES = [0, 1];
const SEED = 7;
const RIDGE = 0.003;
/** Few cases were never seen by the reader: their weights stay near those of the features alone. */
const RIDGE_READ = 0.1;
/** Chosen on the curve: keeps lose nothing, and a data set's question counts as much as two stories. */
const COUNTS: CaseWeights = { question: 2, change: 1, keep: 1 };
/** With the reader, data sets' questions lose less where each counts as much as six stories. */
const COUNTS_READ: CaseWeights = { question: 6, change: 1, keep: 1 };
const CURVE: readonly CaseWeights[] = [
  { question: 1, change: 1, keep: 1 },
  { question: 2, change: 2, keep: 1 },
  COUNTS,
  { question: 3, change: 2, keep: 1 },
  { question: 3, change: 3, keep: 1 },
];
const THRESHOLDS = [0.2, 0.3, 0.4, 0.45, 0.5, 0.6];
/** Chosen on the curve of marks: a mark on what holds harms more than one that is missing. */
const MARKED_FROM = 0.4;
/** The same where the reader has read the turns. */
const MARKED_FROM_READ = 0.5;

const language = makeLanguage(
  readFileSync(new URL('../../../../domain/language/vectors/static-vectors.bin', import.meta.url)),
);
const isWording = (author: string): boolean => (AUTHORS as readonly string[]).includes(author);
const folds = (names: readonly string[], count = FOLDS): ((name: string) => number) => {
  const places = new Map([...new Set(names)].map((name, i) => [name, i % count]));
  return name => places.get(name)!;
};
const numbers = Array.from({ length: FOLDS }, (_, fold) => fold);

type OrderOf = (one: ReadCase) => OrderWeights;
const firstBy = (orderOf: OrderOf) => (one: ReadCase) => firstOf(weighCase(one, orderOf(one)));
const marksBy = (orderOf: OrderOf, marksOf: (one: ReadCase) => Logistic) => (one: ReadCase) => {
  const weighed = weighCase(one, orderOf(one));
  const { intercept, weights } = marksOf(one);
  return pairsOf(one, weighed, firstOf(weighed)).map(({ i, row }) => ({
    label: one.labels[i]!,
    probability: sigmoid(intercept + weighted(row, weights)),
  }));
};

const weightsByName = (
  names: (typeof ROWS)['alone' | 'read'],
  { answers, now }: OrderWeights,
  { intercept, weights }: Logistic,
  from: number,
) => ({
  answers: named(names.answers, answers),
  now: named(names.now, now),
  replaced: { from, intercept: rounded(intercept), weights: named(names.replaced, weights) },
});

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
  const groupFor = ({ author, of }: { author: string | undefined; of: string }): string =>
    author === undefined || isWording(author) ? of : author;
  const byGroup = folds(stories.map(groupFor));
  const byConversation = folds(questions.map(({ of }) => of));
  const foldOf = ({ author, of }: PresentCase): number =>
    author === undefined ? byConversation(of) : byGroup(groupFor({ author, of }));

  // 1. The wordings; a story is read by those that were fitted on other attributes or authors.
  const wording = fitWording(lines);
  const wordingOf = makeWording(wording);
  const wordingsWithout = numbers.map(fold =>
    makeWording(
      fitWording(lines.filter(({ author, attribute: of }) => byGroup(groupFor({ author, of })) !== fold)),
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
  const without = (fold: number) => cases.filter(one => foldOf(one) !== fold);
  const leftOut = (counts: CaseWeights) => {
    const weights = numbers.map(fold => fitOrder(without(fold), counts, { ridge: RIDGE }));
    return (one: ReadCase) => weights[foldOf(one)]!;
  };
  const orderOf = leftOut(COUNTS);
  console.log('what holds is first, and evidence of the data sets, percent, left out');
  console.table([
    { by: 'words alone', ...orderFigures(cases) },
    ...CURVE.map(counts => ({
      by: `question ${counts.question}, change ${counts.change}`,
      ...orderFigures(cases, firstBy(counts === COUNTS ? orderOf : leftOut(counts))),
    })),
  ]);
  console.table(
    authors.map(author => {
      const by = makeWording(fitWording(lines.filter(line => line.author !== author)));
      const others = cases.filter(one => one.author !== author);
      const weights = fitOrder(others, COUNTS, { ridge: RIDGE });
      const own = stories.filter(one => one.author === author).map(one => read(one, by));
      const plain = orderFigures(own);
      const fitted = orderFigures(
        own,
        firstBy(() => weights),
      );
      return {
        'without author': author,
        asked: `${own.filter(({ isAsked }) => isAsked).length} of ${own.length}`,
        'change, words alone': plain.change,
        change: fitted.change,
        'keep, words alone': plain.keep,
        keep: fitted.keep,
      };
    }),
  );

  // 3. The marks, by an order and marks that never saw the case.
  const marks = numbers.map(fold => fitReplaced(without(fold), orderOf));
  const marksOf = (one: ReadCase) => marks[foldOf(one)]!;
  console.log('marks, percent of stories, left out');
  console.table(markFigures(cases, marksBy(orderOf, marksOf), THRESHOLDS));

  // 4. Both with the reader, on the cases that it never saw, with half of the authors, attributes and
  // conversations left out.
  const unseen = cases.flatMap(one => {
    const readings = readingsOf(one);
    return readings ? [{ ...one, readings }] : [];
  });
  const halves = folds(
    unseen.map(({ author, of }) => author ?? of),
    HALVES.length,
  );
  const halfOf = ({ author, of }: PresentCase): number => halves(author ?? of);
  const orders = HALVES.map(half => {
    // The features alone never saw the half either.
    const tested = new Set(unseen.filter(one => halfOf(one) === half).map(({ author, of }) => author ?? of));
    const others = cases.filter(({ author, of }) => !tested.has(author ?? of));
    const prior = fitOrder(others, COUNTS, { ridge: RIDGE });
    const rest = unseen.filter(one => halfOf(one) !== half);
    return { prior, order: fitOrder(rest, COUNTS_READ, { ridge: RIDGE_READ, prior }) };
  });
  const readOrderOf = (one: ReadCase) => orders[halfOf(one)]!.order;
  const readMarks = HALVES.map(half =>
    fitReplaced(
      unseen.filter(one => halfOf(one) !== half),
      readOrderOf,
    ),
  );
  const readMarksOf = (one: ReadCase) => readMarks[halfOf(one)]!;
  console.log(`with the reader: ${unseen.length} cases that it never saw, left out`);
  for (const author of [undefined, ...new Set(unseen.map(one => one.author))]) {
    const own = unseen.filter(one => author === undefined || one.author === author);
    const alone = own.map(one => ({ ...one, readings: undefined }));
    console.table([
      { of: author ?? 'all', by: 'words alone', ...orderFigures(own) },
      {
        of: author ?? 'all',
        by: 'features',
        ...orderFigures(
          alone,
          firstBy(one => orders[halfOf(one)]!.prior),
        ),
      },
      { of: author ?? 'all', by: 'features and reader', ...orderFigures(own, firstBy(readOrderOf)) },
    ]);
  }
  console.table(markFigures(unseen, marksBy(readOrderOf, readMarksOf), THRESHOLDS));

  if (values.dry) return;
  const order = fitOrder(cases, COUNTS, { ridge: RIDGE });
  const readOrder = fitOrder(unseen, COUNTS_READ, { ridge: RIDGE_READ, prior: order });
  const content = {
    madeBy: 'npm run fit:present',
    madeOn: new Date().toISOString().slice(0, 10),
    stories: stories.length,
    data: files.map(file => basename(file)),
    questions: questions.length,
    read: unseen.length,
    wording,
    weights: {
      alone: weightsByName(ROWS.alone, order, fitReplaced(cases, orderOf), MARKED_FROM),
      read: weightsByName(ROWS.read, readOrder, fitReplaced(unseen, readOrderOf), MARKED_FROM_READ),
    },
  };
  const file = new URL('../../../../domain/ranking/present/fitted.json', import.meta.url);
  writeFileSync(file, `${JSON.stringify(content, null, 2)}\n`);
});
