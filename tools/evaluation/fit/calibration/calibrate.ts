/** Fits the calibration of confidence, and tests it on unseen data. */
import {
  CONFIDENCE_FEATURES,
  CONFIDENCE_FREE,
  CONFIDENCE_KINDS,
  type ConfidenceFeature,
  type ConfidenceKind,
  confidenceOf,
} from '../../../../domain/ranking/confidence.ts';
import { auroc } from '../../measure/metrics.ts';
import { confidenceRow, reliabilityRows } from '../../report/report.ts';
import { type Factor, type FactorsOptions, fitFactors } from '../factors.ts';
import { named, rounded } from '../rounded.ts';
import type { Case } from './calibration-cases.ts';

/** A question of a scope, and whether its answer was found. */
export interface Judged {
  row: readonly number[];
  label: 0 | 1;
  kind: ConfidenceKind;
  /** Name of the fold: its questions are left out together. */
  fold: string;
  data: string;
  /** Weight of a question of its data set in the fit of the ranking. */
  weight: number;
  of: Case;
}

/** Minimum weight of a data set that has as many questions: a calibration has to know every kind of chat. */
const LEAST_COUNT = 90;
type Shares = Partial<Record<Case, number>>;
/**
 * Weight of the cases of a data set together, relative to its questions; other cases aren't in the fit. This
 * chooses the prior: how many of a hundred recalls that look like neither have no answer.
 */
const SHARES: Shares = { asked: 1, absent: 0.03, small: 0.06, smallOther: 0.02 };
const GROUP_SHARES: Shares = { ...SHARES, group: 0.1, groupAbsent: 0.003 };
/** Longer and harder chats with an assistant than those at hand find less. */
const ASSISTANT_SHARES: Shares = { ...SHARES, absent: 0.08 };
const KIND_SHARES: Record<ConfidenceKind, Shares> = {
  pairs: SHARES,
  groups: GROUP_SHARES,
  assistant: ASSISTANT_SHARES,
};
/** Weights of found questions, and of questions to a scope in which nothing similar was said. */
const TOPIC_SHARES: Shares = { asked: 1, small: 0.2, foreign: 0.05, smallForeign: 0.01 };

/** Conditions that must be true for an answer to be found. */
type Name = 'topic' | 'content' | 'speaker';
const TOPIC: readonly ConfidenceFeature[] = ['topSum', 'topMaxSim', 'knownWords'];
const CONTENT: readonly ConfidenceFeature[] = [
  'topSum',
  'gapTo15',
  'topCoverage',
  'rarestWord',
  'topCosine',
  'topCosineWindow',
  'asksForKind',
  'holdsKind',
];
const SPEAKER: readonly ConfidenceFeature[] = ['namesSpeaker', 'speakerShare', 'contentShare'];
/**
 * Factors besides the common topic. In chats with an assistant the wrong person is never asked about, and the
 * speaker tells no more than how well a turn fits; in groups the speaker tells nothing.
 */
const FACTORS: Record<ConfidenceKind, readonly (readonly [Name, readonly ConfidenceFeature[]])[]> = {
  pairs: [
    ['content', CONTENT],
    ['speaker', SPEAKER],
  ],
  groups: [['content', CONTENT]],
  assistant: [['content', [...CONTENT, ...SPEAKER]]],
};
/**
 * In chats with an assistant hardly anything separates found from not found, so their calibration stays near
 * the share of answered questions unless the data is sure. That of groups is drawn to that of pairs.
 */
const RIDGES: Record<ConfidenceKind, number> = { pairs: 0.004, groups: 0.01, assistant: 1 };
const TOPIC_RIDGE = 0.003;

const columnsOf = (names: readonly ConfidenceFeature[]) =>
  names.map(name => CONFIDENCE_FEATURES.indexOf(name));

/** Returns weights by the case's share relative to the questions of its data set; other cases don't count. */
const countsOf = (all: readonly Judged[], kept: readonly Judged[], shares: Shares): number[] => {
  const sizes = Map.groupBy(all, ({ data, of }) => `${data}, ${of}`);
  const size = ({ data }: Judged, of: Case) => sizes.get(`${data}, ${of}`)?.length ?? 0;
  return kept.map(one => {
    const asked = size(one, 'asked');
    const together = Math.max(one.weight * asked, Math.min(asked, LEAST_COUNT));
    return (together * (shares[one.of] ?? 0)) / size(one, one.of);
  });
};

/** A kind of chat with fewer questions is not fitted. */
const LEAST_QUESTIONS = 50;

/** The factors of kinds of scopes, by name; kinds with hardly any questions have none. */
type Fitted = ReadonlyMap<ConfidenceKind, ReadonlyMap<Name, Factor>>;

const fitConfidence = (
  all: readonly Judged[],
  kinds: ReadonlySet<ConfidenceKind> = new Set(CONFIDENCE_KINDS),
): Fitted => {
  const factorsOf = (
    kept: readonly Judged[],
    counts: readonly number[],
    options: Pick<FactorsOptions, 'columns' | 'ridge' | 'prior' | 'given'>,
  ): Factor[] =>
    fitFactors(
      kept.map(({ row }) => row),
      kept.map(({ label }) => label),
      { ...options, counts, free: column => CONFIDENCE_FREE.has(CONFIDENCE_FEATURES[column]!) },
    );
  const ofTopic = all.filter(({ of, label }) => label === 1 || of === 'foreign' || of === 'smallForeign');
  const [topic] = factorsOf(ofTopic, countsOf(all, ofTopic, TOPIC_SHARES), {
    columns: [columnsOf(TOPIC)],
    ridge: TOPIC_RIDGE,
  });
  const fitted = new Map<ConfidenceKind, ReadonlyMap<Name, Factor>>();
  const fitKind = (kind: ConfidenceKind): void => {
    const own = all.filter(one => one.kind === kind && KIND_SHARES[kind][one.of] !== undefined);
    if (own.length < LEAST_QUESTIONS) return;
    const factors = factorsOf(own, countsOf(all, own, KIND_SHARES[kind]), {
      columns: FACTORS[kind].map(([, names]) => columnsOf(names)),
      ridge: RIDGES[kind],
      prior: kind === 'groups' ? fitted.get('pairs')?.get('content')?.weights : undefined,
      given: own.map(({ row }) => confidenceOf(row, [topic!])),
    });
    const byName = FACTORS[kind].map(([name], k) => [name, factors[k]!] as const);
    fitted.set(kind, new Map<Name, Factor>([['topic', topic!], ...byName]));
  };
  // Groups are drawn to pairs.
  for (const kind of CONFIDENCE_KINDS)
    if (kinds.has(kind) || (kind === 'pairs' && kinds.has('groups'))) fitKind(kind);
  return fitted;
};

/** Returns the confidence in each question by a fit without its fold; null if nothing of its kind is left. */
const heldOut = (all: readonly Judged[], leftOut: (one: Judged) => string): (number | null)[] => {
  const fits = new Map(
    [...Map.groupBy(all, leftOut)].map(([name, own]) => {
      const others = all.filter(one => leftOut(one) !== name);
      return [name, fitConfidence(others, new Set(own.map(({ kind }) => kind)))];
    }),
  );
  return all.map(one => {
    const factors = fits.get(leftOut(one))!.get(one.kind);
    return factors ? confidenceOf(one.row, [...factors.values()]) : null;
  });
};

/** Below this confidence the documentation advises against answering. */
const GATE = 0.3;

/** The found questions with which each case without an answer is compared. */
const FOUND_OF: Record<Case, Case> = {
  asked: 'asked',
  absent: 'asked',
  foreign: 'asked',
  small: 'small',
  smallOther: 'small',
  smallForeign: 'small',
  group: 'group',
  groupAbsent: 'group',
};

interface Said extends Judged {
  said: number;
}

/** Returns the row of a case, with the shares of found answers and of others that the gate turns away. */
const caseRow = (own: readonly Said[], found: readonly Said[]) => {
  const values = own.map(({ said }) => said);
  const below = (label: 0 | 1) => {
    const those = own.filter(one => one.label === label);
    return those.length === 0 ? null : rounded(those.filter(({ said }) => said < GATE).length / those.length);
  };
  const { auroc: _, ...scores } = confidenceRow(
    values,
    own.map(({ label }) => label),
  );
  const against = [...own.filter(({ label }) => label === 0), ...found];
  return {
    ...scores,
    mean: rounded(values.reduce((sum, value) => sum + value, 0) / values.length),
    auroc: rounded(
      auroc(
        against.map(({ said }) => said),
        against.map(({ label }) => label),
      ),
    ),
    foundBelowGate: below(1),
    othersBelowGate: below(0),
  };
};

const byData = (all: readonly Judged[], said: readonly (number | null)[]) => {
  const known = all.flatMap((one, i): Said[] => (said[i] === null ? [] : [{ ...one, said: said[i]! }]));
  return Object.fromEntries(
    [...Map.groupBy(known, ({ data, of }) => `${data}, ${of}`)].map(([name, own]) => {
      const { data, of } = own[0]!;
      const isFound = (one: Said) => one.label === 1 && one.data === data && one.of === FOUND_OF[of];
      return [name, caseRow(own, known.filter(isFound))];
    }),
  );
};

/** Fits the calibration of every kind, and measures it on unseen conversations and data sets. */
export const calibrate = (all: readonly Judged[]) => {
  const fitted = fitConfidence(all);
  const byFold = heldOut(all, ({ fold }) => fold);
  const bySet = heldOut(all, ({ data }) => data);
  return new Map(
    [...fitted].map(([kind, factors]) => {
      const own = [...all.keys()].filter(i => all[i]!.kind === kind);
      const asked = own.filter(i => all[i]!.of === 'asked' && byFold[i] !== null);
      const labels = asked.map(i => all[i]!.label);
      const said = asked.map(i => byFold[i]!);
      const of = <T>(values: readonly T[]) => own.map(i => values[i]!);
      return [
        kind,
        {
          factors: Object.fromEntries(
            [...factors].map(([name, factor]) => [name, factorIn(name, kind, factor)]),
          ),
          leaveOneOut: confidenceRow(said, labels),
          byData: byData(of(all), of(byFold)),
          withoutItsSet: byData(of(all), of(bySet)),
          reliability: reliabilityRows(said, labels),
        },
      ];
    }),
  );
};

const factorIn = (name: Name, kind: ConfidenceKind, { intercept, weights }: Factor) => {
  const names = name === 'topic' ? TOPIC : FACTORS[kind].find(([factor]) => factor === name)![1];
  const places = columnsOf(names);
  return {
    intercept: rounded(intercept),
    weights: named(
      names,
      places.map(place => weights[place]!),
    ),
  };
};
