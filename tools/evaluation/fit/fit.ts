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
import { CONFIDENCE_KINDS, confidenceKindOf } from '../../../domain/ranking/confidence.ts';
import { CHATS, chatOf } from '../../../domain/ranking/features/chat-kind.ts';
import { DEEP_FEATURES } from '../../../domain/ranking/features/deep-features.ts';
import { FEATURES } from '../../../domain/ranking/features/feature-names.ts';
import { parsedBy, runCommand, wrongUsage } from '../command.ts';
import { readDataset } from '../datasets/read-dataset.ts';
import { MODES, type Mode } from '../measure/measure.ts';
import { offlineScope } from '../offline.ts';
import { type Reliability, reliabilityPlot, scoresOf } from '../report/plot.ts';
import { groupRows } from '../report/report.ts';
import { calibrate, type Judged } from './calibration/calibrate.ts';
import { type Case, calibrationCases } from './calibration/calibration-cases.ts';
import { type Example, makeExamples, metricsOf } from './examples.ts';
import { type ByChat, type ByMode, fitChats, shippedWeights, weightsOfFits } from './fit-chats.ts';
import { type Outcome, outcomeOf, TOP } from './outcomes.ts';
import { named } from './rounded.ts';
import { scoreCurve } from './score-curve.ts';

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

/** Returns the other elements, beginning with the next one. */
const after = <T>(all: readonly T[], one: T): T[] => {
  const at = all.indexOf(one);
  return [...all.slice(at + 1), ...all.slice(0, at)];
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
          score: scoreCurve(own.map(example => ({ ...example, sums: heldOut.get(example)![mode].sums }))),
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
