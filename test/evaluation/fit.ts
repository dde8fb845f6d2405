/**
 * `npm run fit -- FILE... [--dry]`: fits the ranking's weights and the calibration of confidence on data sets (LoCoMo or
 * JSON Lines), reports them with one conversation left out at a time, and writes weights.json, calibration.json and the picture of
 * its reliability (not with --dry). Offline: no service runs.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import { makeLanguage } from '../../projections/language/language.ts';
import {
  CONFIDENCE_FEATURES,
  CONFIDENCE_FREE,
  chatOf,
  confidenceFeatures,
  confidenceOf,
} from '../../projections/ranking/confidence.ts';
import { DEEP_FEATURES } from '../../projections/ranking/deep-features.ts';
import { FEATURES, featureTable } from '../../projections/ranking/features.ts';
import { contentSums, linearSums, order } from '../../projections/ranking/rank.ts';
import { parsedBy, runCommand, wrongUsage } from './command.ts';
import { CONSTRAINTS, DEEP_CONSTRAINTS } from './constraints.ts';
import {
  DEEP_WIDTH,
  deepGroupOf,
  deepRows,
  descending,
  type Example,
  groupOf,
  makeExamples,
  metricsOf,
  plainSums,
  WIDTH,
} from './examples.ts';
import { fitListwise, type Group } from './listwise.ts';
import { fitLogistic, fitMonotone, type LogisticOptions } from './logistic.ts';
import { MODES, type Mode } from './measure.ts';
import { offlineScope } from './offline.ts';
import { type Reliability, reliabilityPlot, scoresOf } from './plot.ts';
import { readDataset } from './read-dataset.ts';
import { confidenceRow, groupRows, reliabilityRows } from './report.ts';

type ByMode<T> = Record<Mode, T>;

/** Confidence speaks of the hits of a default `active` recall. */
const TOP = 15;
/** A score curve needs the turns that could be mistaken for evidence, not all the others. */
const SCORED = 50;
/** How strongly the calibration of assistants' chats is drawn to that of people's. */
const DRAWN = 0.2;
const CHATS = ['people', 'assistant'] as const;

/** A question that has no answer is left out: its "evidence" is a distractor. */
const fitWeights = (
  examples: readonly Example[],
  plain: ReadonlyMap<Example, Group>,
): ByMode<Float64Array> => {
  const kept = examples.filter(({ question, evidence }) => question.answerable && evidence.length > 0);
  const active = fitListwise(
    kept.map(example => plain.get(example)!),
    WIDTH,
    { constraints: CONSTRAINTS },
  );
  const deep = fitListwise(
    kept.map(example => deepGroupOf(example, linearSums(example.rows, WIDTH, active))),
    DEEP_WIDTH,
    // It departs from the first pass only where the second knows more: fitted from nothing it lost recall@5.
    { prior: active, constraints: DEEP_CONSTRAINTS },
  );
  return { active, deep };
};

/** What a question's ranking is with given weights, and whether its answer was found. */
interface Outcome {
  sums: Float64Array;
  row: number[];
  label: 0 | 1;
}

const outcomeOf = (example: Example, weights: ByMode<Float64Array>): ByMode<Outcome> => {
  const { query, scope, question, evidence, prepared } = example;
  const table = featureTable(prepared, scope.candidates);
  const first = linearSums(example.rows, WIDTH, weights.active);
  const contents = contentSums(example.rows, first, weights.active);
  const outcome = (sums: Float64Array): Outcome => {
    const found = descending(sums)
      .slice(0, TOP)
      .some(c => evidence.includes(c));
    const ranked = order(scope.candidates, table, { sums, first, contents }, { slope: 1, intercept: 0 });
    const row = confidenceFeatures(query, ranked, prepared.statistics);
    return { sums, row, label: question.answerable && found ? 1 : 0 };
  };
  return {
    active: outcome(first),
    deep: outcome(linearSums(deepRows(example, first), DEEP_WIDTH, weights.deep)),
  };
};

const isFree = (column: number): boolean => CONFIDENCE_FREE.has(CONFIDENCE_FEATURES[column]!);

const rounded = (value: number): number => Math.round(value * 1e4) / 1e4;
const named = (names: readonly string[], values: ArrayLike<number>): Record<string, number> =>
  Object.fromEntries(names.map((name, i) => [name, rounded(values[i]!)]));

/** The curve that makes a score of a linear sum: how often a turn with this sum is evidence. */
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

/** A calibration of one kind of chat, with how good it is on conversations that it never saw. */
const calibrate = (
  examples: readonly Example[],
  outcomeOfExample: (example: Example) => Outcome,
  options: LogisticOptions,
) => {
  const outcomes = examples.map(outcomeOfExample);
  const regress = (kept: readonly Outcome[]) =>
    fitMonotone(
      kept.map(({ row }) => row),
      kept.map(({ label }) => label),
      isFree,
      options,
    );
  const held = new Map(
    [...new Set(examples.map(({ conversation }) => conversation))].map(conversation => [
      conversation,
      regress(outcomes.filter((_, e) => examples[e]!.conversation !== conversation)),
    ]),
  );
  const probabilities = outcomes.map(({ row }, e) => confidenceOf(row, held.get(examples[e]!.conversation)!));
  const labels = outcomes.map(({ label }) => label);
  const { intercept, weights } = regress(outcomes);
  return {
    intercept: rounded(intercept),
    weights: named(CONFIDENCE_FEATURES, weights),
    leaveOneOut: confidenceRow(probabilities, labels),
    reliability: reliabilityRows(probabilities, labels),
  };
};

await runCommand('fit', () => {
  const { values, positionals: files } = parsedBy(() =>
    parseArgs({ allowPositionals: true, options: { dry: { type: 'boolean' } } }),
  );
  if (files.length === 0) throw wrongUsage('usage: npm run fit -- FILE... [--dry]');
  const language = makeLanguage(
    readFileSync(new URL('../../projections/language/static-vectors.bin', import.meta.url)),
  );
  const datasets = files.map(file => ({ name: basename(file), ...readDataset(file) }));
  const scopes = datasets.flatMap(({ name, headline, conversations }) =>
    conversations.map(conversation => ({ data: name, headline, ...offlineScope(language, conversation) })),
  );
  for (const chat of CHATS) {
    const count = scopes.filter(({ speakers }) => chatOf(speakers) === chat).length;
    if (count < 2)
      throw wrongUsage(`leaving one conversation out needs two of the kind ${chat}, there are ${count}`);
  }
  const examples = makeExamples(language, scopes);
  const plain = new Map(
    examples.map(example => [example, groupOf(example, example.rows, WIDTH, plainSums(example))]),
  );
  console.log(`${scopes.length} conversations, ${examples.length} questions`);

  // 1. Every conversation ranked with weights that were fitted on the others.
  const heldOut = new Map<Example, ByMode<Outcome>>();
  for (const [held, { id }] of scopes.entries()) {
    const weights = fitWeights(
      examples.filter(({ conversation }) => conversation !== held),
      plain,
    );
    for (const example of examples) {
      if (example.conversation === held) heldOut.set(example, outcomeOf(example, weights));
    }
    console.log(`left out ${id}`);
  }

  // 2. What that found, and how well confidence knew it; the calibration too never saw the outcomes of the conversation that it is
  // tested on, though the weights behind its other rows did.
  const about = {
    madeBy: 'npm run fit',
    madeOn: new Date().toISOString().slice(0, 10),
    data: datasets.map(({ name, conversations }) => ({
      name,
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
          metrics: example.evidence.length > 0 ? metricsOf(example, heldOut.get(example)![mode].sums) : null,
        }));
        const rows = groupRows(measured, headline).map(({ group, kind: _, ...row }) => [group, row]);
        return [name, Object.fromEntries(rows) as Record<string, object>];
      }),
    );
  // 3. The weights that ship were fitted on all of it.
  const weights = fitWeights(examples, plain);
  const weightsFile: Record<string, unknown> = { ...about };
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
    weightsFile[mode] = {
      score: scoreCurve(examples, example => heldOut.get(example)![mode].sums),
      weights: named(mode === 'active' ? FEATURES : [...FEATURES, ...DEEP_FEATURES], weights[mode]),
      leaveOneOut,
    };
  }
  // Few assistants' chats are at hand: theirs departs from that of people's only as far as they say so.
  let prior: ByMode<number[]> | undefined;
  const drawn: Reliability[] = [];
  for (const chat of CHATS) {
    const own = examples.filter(({ scope }) => chatOf(scope.speakers) === chat);
    const calibrations = MODES.map(mode => {
      const calibration = calibrate(
        own,
        example => heldOut.get(example)![mode],
        prior ? { prior: prior[mode], ridge: DRAWN } : {},
      );
      console.log(`\nconfidence, ${chat}, ${mode}`, calibration.leaveOneOut);
      console.table(calibration.reliability);
      const { leaveOneOut, reliability } = calibration;
      const { questions } = leaveOneOut;
      drawn.push({ title: `${chat}, ${mode}`, reliability, questions, scores: scoresOf(leaveOneOut) });
      return [mode, calibration] as const;
    });
    calibrationFile[chat] = Object.fromEntries(calibrations);
    const weightsOf = (mode: Mode) => Object.values(new Map(calibrations).get(mode)!.weights);
    prior = { active: weightsOf('active'), deep: weightsOf('deep') };
  }
  if (values.dry) return;
  const folder = new URL('../../projections/ranking/', import.meta.url);
  const write = (file: string, content: object) =>
    writeFileSync(new URL(file, folder), `${JSON.stringify(content, null, 2)}\n`);
  write('weights.json', weightsFile);
  write('calibration.json', calibrationFile);
  const picture = reliabilityPlot('How often what confidence said came true, conversations left out', drawn);
  writeFileSync(new URL('../../docs/confidence.svg', import.meta.url), picture);
});
