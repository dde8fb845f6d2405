import type { Explanation } from '../../../api/types.ts';
import { ASPECT_NAMES, addsUp, byAspect, featureName, signed } from '../../../words/explanation.ts';

/**
 * Shows a part as a bar: positive ones extend to the right of the middle, negative ones to the left; `widest`
 * fills one half.
 */
const Bar = ({ value, widest }: { value: number; widest: number }) => {
  const length = (Math.abs(value) / widest) * 100;
  return (
    <svg viewBox="-100 0 200 8" preserveAspectRatio="none" aria-hidden="true" focusable="false">
      <path className="whole" d="M-100 4h200" />
      <rect className={value < 0 ? 'takes' : 'adds'} x={value < 0 ? -length : 0} width={length} height="8" />
      <path className="middle" d="M0 0v8" />
    </svg>
  );
};

/** Returns the largest aspect: all bars of an answer use the same scale, so that hits can be compared. */
export const widestOf = (explanations: readonly Explanation[]): number =>
  explanations
    .flatMap(byAspect)
    .reduce((widest, { logOdds }) => Math.max(widest, Math.abs(logOdds)), Number.MIN_VALUE);

/** Shows how a score is composed. */
export const ScoreBreakdown = ({
  explanation,
  rank,
  widest,
}: {
  explanation: Explanation;
  rank: number;
  widest: number;
}) => (
  <details className="score-breakdown">
    <summary>
      Why this? Score breakdown <span className="hidden">of hit {rank}</span>
    </summary>
    <ul className="aspects">
      {byAspect(explanation).map(({ aspect, logOdds, features }) => (
        <li key={aspect}>
          <span>{ASPECT_NAMES[aspect]}</span>
          <span className="log-odds">{signed(logOdds)}</span>
          <Bar value={logOdds} widest={widest} />
          <ul className="features">
            {features.map(one => (
              <li key={one.feature}>
                {featureName(one.feature)} <span className="log-odds">{signed(one.logOdds)}</span>
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ul>
    <p className="muted">
      {addsUp(explanation)} In log-odds: 0 is an even chance, +0.69 doubles the odds, −0.69 halves them.
    </p>
  </details>
);
