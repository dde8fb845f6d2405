/** Explains a score by the summands of the logistic model's log-odds. */
import { DEEP_FEATURES } from './features/deep-features.ts';
import { FEATURES, type Feature } from './features/feature-names.ts';
import { MODEL_FEATURES, type ModelFeature } from './features/model-features.ts';
import type { Ranked } from './rank.ts';
import { RERANK_LOG_ODDS } from './rerank.ts';
import fitted from './weights.json' with { type: 'json' };

type DeepFeature = (typeof DEEP_FEATURES)[number];

/** The property that a feature measures. */
export type Aspect = 'words' | 'meaning' | 'conversation' | 'speaker' | 'time' | 'form';

const ASPECTS: Record<Feature | DeepFeature | ModelFeature | 'rerankScore', Aspect> = {
  bm25: 'words',
  coverage: 'words',
  rareCoverage: 'words',
  exactCoverage: 'words',
  sameWords: 'words',
  maxSim: 'meaning',
  cosine: 'meaning',
  cosineRelative: 'meaning',
  bm25Next: 'conversation',
  bm25Previous2: 'conversation',
  pairRelative: 'conversation',
  session: 'conversation',
  sessionBest: 'conversation',
  sessionMaxSim: 'conversation',
  maxSimPrevious: 'conversation',
  maxSimWindow: 'conversation',
  maxSimWindowRelative: 'conversation',
  cosineWindow: 'conversation',
  answersQuestion: 'conversation',
  answersSimilarQuestion: 'conversation',
  opening: 'conversation',
  speaker: 'speaker',
  otherSpeaker: 'speaker',
  namedLater: 'speaker',
  assistant: 'speaker',
  temporal: 'time',
  duration: 'time',
  dateMonth: 'time',
  dateDay: 'time',
  dateMonthAfter: 'time',
  askedTime: 'time',
  question: 'form',
  length: 'form',
  number: 'form',
  properName: 'form',
  firstPerson: 'form',
  standingWish: 'form',
  preference: 'form',
  windowLikeQueryAndHits: 'conversation',
  nearHit: 'conversation',
  modelCosineRelative: 'meaning',
  modelWindow: 'meaning',
  rerankScore: 'meaning',
};

export interface Part {
  feature: Feature | DeepFeature | ModelFeature | 'rerankScore';
  aspect: Aspect;
  /** Contribution, positive or negative, to the log-odds that the fragment is evidence. */
  logOdds: number;
}

/** score = factor / (1 + exp(-(base + the sum of the parts' log-odds))) */
export interface Explanation {
  /** Log-odds before any feature contributes. */
  base: number;
  /** Largest contribution first; zero contributions are left out. */
  parts: Part[];
  /** Other than 1 for a hit whose place isn't the one that its own words give it. */
  factor: number;
}

/** Explains the score of a ranked candidate. */
export const explain = ({
  chat,
  features,
  deepFeatures,
  models,
  rerankScore,
  factor = 1,
}: Pick<Ranked, 'chat' | 'features' | 'deepFeatures' | 'models' | 'rerankScore' | 'factor'>): Explanation => {
  const { active, deep } = fitted[chat];
  const score = models?.fit.score ?? (deepFeatures ? deep : active).score;
  const weightOf: Record<string, number> = { ...active.weights, ...deep.weights, ...models?.fit.weights };
  const rows = [
    ...FEATURES.map((feature, f) => ({ feature, value: features[f]! })),
    ...(deepFeatures ? DEEP_FEATURES.map((feature, f) => ({ feature, value: deepFeatures[f]! })) : []),
    ...(models ? MODEL_FEATURES.map((feature, f) => ({ feature, value: models.features[f]! })) : []),
  ];
  const parts: Part[] = rows.map(({ feature, value }) => ({
    feature,
    aspect: ASPECTS[feature],
    logOdds: score.slope * (weightOf[feature] ?? 0) * value,
  }));
  if (rerankScore !== undefined)
    parts.push({
      feature: 'rerankScore',
      aspect: ASPECTS.rerankScore,
      logOdds: RERANK_LOG_ODDS * rerankScore,
    });
  return {
    base: score.intercept,
    parts: parts
      .filter(({ logOdds }) => logOdds !== 0)
      .sort((a, b) => Math.abs(b.logOdds) - Math.abs(a.logOdds)),
    factor,
  };
};
