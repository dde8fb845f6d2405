/**
 * `npm run fit -- FILE[=WEIGHT]... [--dry]`: fits the ranking's weights and the calibration of confidence on
 * data sets (LoCoMo or JSON Lines), reports them with one conversation left out at a time, and writes
 * weights.json, calibration.json and the picture of its reliability (not with --dry). With --calibration the
 * weights stay as they are. Offline: no service runs.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import { makeLanguage } from '../../../domain/language/language.ts';
import {
  CONFIDENCE_KINDS,
  confidenceFeatures,
  confidenceKindOf,
} from '../../../domain/ranking/confidence.ts';
import { ACTIVE_PLACES } from '../../../domain/ranking/deep.ts';
import { CHATS, type Chat, chatOf } from '../../../domain/ranking/features/chat.ts';
import { DEEP_FEATURES } from '../../../domain/ranking/features/deep-features.ts';
import { FEATURES } from '../../../domain/ranking/features/features.ts';
import { contentSums, order, weightsOf } from '../../../domain/ranking/rank.ts';
import shipped from '../../../domain/ranking/weights.json' with { type: 'json' };
import { parsedBy, runCommand, wrongUsage } from '../command.ts';
import { readDataset } from '../datasets/read-dataset.ts';
import { MODES, type Mode } from '../measure/measure.ts';
import { offlineScope } from '../offline.ts';
import { type Reliability, reliabilityPlot, scoresOf } from '../report/plot.ts';
import { groupRows } from '../report/report.ts';
import { calibrate, type Judged } from './calibrate.ts';
import { type Case, calibrationCases } from './calibration-cases.ts';
import { CONSTRAINTS, DEEP_CONSTRAINTS } from './constraints.ts';
import {
  deepGroupOf,
  deepSums,
  descending,
  type Example,
  groupOf,
  makeExamples,
  metricsOf,
  PLAIN_WEIGHTS,
  scoredBy,
  WIDTH,
} from './examples.ts';
import { fitListwise, type Group } from './listwise.ts';
import { fitLogistic } from './logistic.ts';
import { named, rounded } from './rounded.ts';

type ByMode<T> = Record<Mode, T>;
type ByChat<T> = Record<Chat, T>;
type Weights = ByChat<ByMode<Float64Array>>;

/** Confidence is about the hits of a default `active` recall. */
const TOP = 15;
/** A score curve needs the turns that could be mistaken for evidence, not all the others. */
const SCORED = 50;
/** The weights choose the passages that stand for long turns, so they are fitted twice. */
const ROUNDS = 2;
/** Strong, and to 0 for assistants too: the likelihood favours features that cost places on balance. */
const DEEP_RIDGE = 0.4;

interface ChatFit {
  /** Weights of active mode, by round. */
  rounds: Float64Array[];
  /** Weights of active mode's sum, then of the deep features. */
  deep: Float64Array;
}

/**
 * Fits one kind of chat. Questions without an answer are left out: their "evidence" is a distractor.
 *
 * @param weightOf weight of a question of its data set
 * @param prior weights to which active mode's are drawn, by round
 */
const fitChat = (
  examples: readonly Example[],
  weightOf: (example: Example) => number,
  prior?: ChatFit['rounds'],
): ChatFit => {
  const kept = examples.filter(({ question, evidence }) => question.answerable && evidence.length > 0);
  const rounds: Float64Array[] = [];
  const scored = () => {
    const by = rounds.at(-1) ?? PLAIN_WEIGHTS;
    return kept.map(example => ({ example, ...scoredBy(example, by) }));
  };
  for (let round = 0; round < ROUNDS; round++) {
    const groups = scored().map(
      ({ example, table, sums }): Group => ({
        ...groupOf(example.evidence, table.rows, WIDTH, sums),
        weight: weightOf(example),
      }),
    );
    const home = prior?.[round];
    rounds.push(fitListwise(groups, WIDTH, { constraints: CONSTRAINTS, ...(home && { prior: home }) }));
  }
  const behind = scored().flatMap(({ example, ...first }): Group[] => {
    const made = deepGroupOf(example, first);
    // Few evidence turns are behind the first ten, so a set with a low weight for words gets more here.
    return made ? [{ ...made, weight: Math.sqrt(weightOf(example)) }] : [];
  });
  const deep = fitListwise(behind, ACTIVE_ALONE.length, {
    ridge: DEEP_RIDGE,
    prior: ACTIVE_ALONE,
    constraints: DEEP_CONSTRAINTS,
  });
  return { rounds, deep };
};

/**
 * Fits the weights of each kind of chat, without the held-out examples. Those of active mode in chats with an
 * assistant are drawn to those of people, since few such chats are at hand.
 *
 * @param known fits on all examples; kept for a kind of chat without held-out examples
 */
const fitChats = (
  examples: readonly Example[],
  weightOf: (example: Example) => number,
  { isHeld, known }: { isHeld: (example: Example) => boolean; known?: ByChat<ChatFit> },
): ByChat<ChatFit> => {
  const fitOf = (chat: Chat, prior?: ChatFit['rounds']): ChatFit => {
    const own = examples.filter(({ prepared }) => prepared.chat === chat);
    return known && !own.some(isHeld)
      ? known[chat]
      : fitChat(
          own.filter(example => !isHeld(example)),
          weightOf,
          prior,
        );
  };
  const people = fitOf('people');
  return { people, assistant: fitOf('assistant', people.rounds) };
};

const weightsOfFits = (fits: ByChat<ChatFit>): Weights =>
  byChat(chat => ({ active: fits[chat].rounds.at(-1)!, deep: besideActive(fits[chat].deep) }));

/** The sum of active mode as it is, and nothing of the deep features. */
const ACTIVE_ALONE = Float64Array.from([1, ...DEEP_FEATURES.map(() => 0)]);

/** Returns the weights of the deep features beside a sum of weight 1. */
const besideActive = ([sum, ...added]: Float64Array): Float64Array =>
  Float64Array.from(added, weight => weight / sum!);

/** Returns the weights of weights.json. */
const shippedWeights = (): Weights =>
  byChat(chat => ({
    active: weightsOf(FEATURES, shipped[chat].active.weights),
    deep: weightsOf(DEEP_FEATURES, shipped[chat].deep.weights),
  }));

const byChat = <T>(of: (chat: Chat) => T): ByChat<T> => ({
  people: of('people'),
  assistant: of('assistant'),
});

/** Number of folds in which the conversations of a larger set are left out. */
const FOLDS = 5;

/** Returns the fold of each scope: a conversation with the cases made of it, or a fifth of a large set. */
const foldsOf = (scopes: readonly { data: string; id: string }[]): string[] => {
  const ids = new Map(
    [...Map.groupBy(scopes, ({ data }) => data)].map(([data, own]) => [
      data,
      [...new Set(own.map(({ id }) => id))],
    ]),
  );
  return scopes.map(({ data, id }) => {
    const own = ids.get(data)!;
    return own.length > FOLDS ? `${data} ${own.indexOf(id) % FOLDS}` : `${data} ${id}`;
  });
};

/** The ranking of a question with given weights, and whether its answer was found. */
interface Outcome {
  sums: Float64Array;
  /** Candidates, best first. */
  ranked: number[];
  row: number[];
  label: 0 | 1;
}

const outcomeOf = (example: Example, weights: Weights): ByMode<Outcome> => {
  const { query, question, evidence, prepared } = example;
  const { chat } = prepared;
  const { active, deep } = weights[chat];
  const { sums: first, ...parts } = scoredBy(example, active);
  const contents = contentSums(parts.table.rows, first, active);
  const outcome = (sums: Float64Array, places: number[]): Outcome => {
    const found = places.slice(0, TOP).some(c => evidence.includes(c));
    const ranked = order(parts, { sums, first, contents }, { chat, slope: 1, intercept: 0 });
    const row = confidenceFeatures(query, ranked, prepared.statistics);
    return { sums, ranked: places, row, label: question.answerable && found ? 1 : 0 };
  };
  const second = deepSums(example, { ...parts, sums: first }, deep);
  const places = descending(first);
  const leading = places.slice(0, ACTIVE_PLACES);
  return {
    active: outcome(first, places),
    deep: outcome(second, [...leading, ...descending(second).filter(c => !leading.includes(c))]),
  };
};

/** Returns the other elements, beginning with the next one. */
const after = <T>(all: readonly T[], one: T): T[] => {
  const at = all.indexOf(one);
  return [...all.slice(at + 1), ...all.slice(0, at)];
};

/** Fits the curve that makes a score of a linear sum: how often a turn with this sum is evidence. */
const scoreCurve = (examples: readonly Example[], sumsOf: (example: Example) => Float64Array) => {
  const scored = examples.flatMap(example => {
    const sums = sumsOf(example);
    const isEvidence = (c: number) => example.question.answerable && example.evidence.includes(c);
    return descending(sums)
      .slice(0, SCORED)
      .map(c => ({ sum: sums[c]!, label: isEvidence(c) ? 1 : 0 }));
  });
  const { weights, intercept } = fitLogistic(
    scored.map(({ sum }) => [sum]),
    scored.map(({ label }) => label),
    { ridge: 0 },
  );
  return { slope: rounded(weights[0]!), intercept: rounded(intercept) };
};

await runCommand('fit', () => {
  const { values, positionals: files } = parsedBy(() =>
    parseArgs({
      allowPositionals: true,
      options: { dry: { type: 'boolean' }, calibration: { type: 'boolean' } },
    }),
  );
  if (files.length === 0) throw wrongUsage('usage: npm run fit -- FILE[=WEIGHT]... [--calibration] [--dry]');
  const language = makeLanguage(
    readFileSync(new URL('../../../domain/language/vectors/static-vectors.bin', import.meta.url)),
  );
  const datasets = files.map(given => {
    const [, file, weight] = /^(.*?)(?:=([\d.]+))?$/.exec(given)!;
    return { name: basename(file!), weight: Number(weight ?? 1), ...readDataset(file!) };
  });
  const scopes = datasets.flatMap(({ name, weight, conversations }) =>
    conversations.flatMap(conversation =>
      [
        { conversation, of: 'asked' as Case },
        ...calibrationCases(conversation, after(conversations, conversation)),
      ].map(one => ({
        data: name,
        weight,
        of: one.of,
        ...offlineScope(language, one.conversation),
      })),
    ),
  );
  for (const chat of CHATS) {
    const count = scopes.filter(({ of, speakers }) => of === 'asked' && chatOf(speakers) === chat).length;
    if (count < 2)
      throw wrongUsage(`leaving one conversation out needs two of the kind ${chat}, there are ${count}`);
  }
  const all = makeExamples(language, scopes);
  const caseOf = ({ conversation }: Example): Case => scopes[conversation]!.of;
  const examples = all.filter(example => caseOf(example) === 'asked');
  const weightOf = ({ conversation }: Example): number => scopes[conversation]!.weight;
  console.log(`${examples.length} questions, and ${all.length - examples.length} cases for the calibration`);

  // 1. The weights that ship, fitted on all; then every conversation ranked with weights that were fitted on
  // the others.
  const fits = values.calibration ? undefined : fitChats(examples, weightOf, { isHeld: () => false });
  const weights = fits ? weightsOfFits(fits) : shippedWeights();
  const heldOut = new Map<Example, ByMode<Outcome>>();
  const foldOf = foldsOf(scopes);
  if (!fits) for (const example of all) heldOut.set(example, outcomeOf(example, weights));
  for (const fold of fits ? new Set(foldOf) : []) {
    const isHeld = ({ conversation }: Example) => foldOf[conversation] === fold;
    const others = weightsOfFits(fitChats(examples, weightOf, { isHeld, known: fits }));
    for (const example of all.filter(isHeld)) heldOut.set(example, outcomeOf(example, others));
    console.log(`left out ${fold}`);
  }

  // 2. The results, and how well confidence predicted them. The calibration too never saw the outcomes of the
  // conversation on which it is tested, though the weights behind its other rows did.
  const about = {
    madeBy: 'npm run fit',
    madeOn: new Date().toISOString().slice(0, 10),
    data: datasets.map(({ name, weight, conversations }) => ({
      name,
      weight,
      conversations: conversations.map(({ id }) => id).join(', '),
      questions: conversations.reduce((sum, { questions }) => sum + questions.length, 0),
    })),
  };
  const reports = (mode: Mode) =>
    Object.fromEntries(
      datasets.map(({ name, headline }) => {
        const own = examples.filter(({ conversation }) => scopes[conversation]!.data === name);
        const measured = own.map(example => ({
          category: example.question.category ?? null,
          answerable: example.question.answerable,
          metrics:
            example.evidence.length > 0 ? metricsOf(example, heldOut.get(example)![mode].ranked) : null,
        }));
        const rows = groupRows(measured, headline).map(({ group, kind: _, ...row }) => [group, row]);
        return [name, Object.fromEntries(rows) as Record<string, object>];
      }),
    );
  const weightsFile: Record<string, unknown> & ByChat<object> = { ...about, people: {}, assistant: {} };
  const calibrationFile: Record<string, unknown> = {
    ...about,
    label: `answerable, and any evidence among the first ${TOP}`,
  };
  for (const mode of MODES) {
    const leaveOneOut = reports(mode);
    console.log(`\n${mode}, one conversation left out, percent`);
    for (const [name, rows] of Object.entries(leaveOneOut)) {
      console.log(name);
      console.table(rows);
    }
    for (const chat of CHATS) {
      const own = examples.filter(({ prepared }) => prepared.chat === chat);
      weightsFile[chat] = {
        ...weightsFile[chat],
        [mode]: {
          score: scoreCurve(own, example => heldOut.get(example)![mode].sums),
          weights: named(mode === 'active' ? FEATURES : DEEP_FEATURES, weights[chat][mode]),
        },
      };
    }
    weightsFile[mode] = { leaveOneOut };
  }
  const drawn: Reliability[] = [];
  for (const mode of MODES) {
    const judged = all.map((example): Judged => {
      const { data, weight, of, speakers } = scopes[example.conversation]!;
      const { row, label } = heldOut.get(example)![mode];
      return {
        row,
        label,
        kind: confidenceKindOf(speakers),
        fold: foldOf[example.conversation]!,
        data,
        weight,
        of,
      };
    });
    const calibration = calibrate(judged);
    for (const kind of CONFIDENCE_KINDS) {
      const own = calibration.get(kind);
      if (!own) throw wrongUsage(`the calibration needs chats of every kind, and there are none of ${kind}`);
      console.log(`\nconfidence, ${kind}, ${mode}`, own.leaveOneOut);
      console.table(own.byData);
      console.log('with all of its data set left out');
      console.table(own.withoutItsSet);
      console.table(own.reliability);
      calibrationFile[kind] = { ...(calibrationFile[kind] as object), [mode]: own };
      const { leaveOneOut, reliability } = own;
      if (mode === 'active')
        drawn.push({
          title: kind,
          reliability,
          questions: leaveOneOut.questions,
          scores: scoresOf(leaveOneOut),
        });
    }
  }
  if (values.dry) return;
  const folder = new URL('../../../domain/ranking/', import.meta.url);
  const write = (file: string, content: object) =>
    writeFileSync(new URL(file, folder), `${JSON.stringify(content, null, 2)}\n`);
  if (!values.calibration) write('weights.json', weightsFile);
  write('calibration.json', calibrationFile);
  const picture = reliabilityPlot('How often what confidence said came true, conversations left out', drawn);
  writeFileSync(new URL('../../../docs/internals/measurements/confidence.svg', import.meta.url), picture);
});
