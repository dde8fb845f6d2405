import { confidenceExplained } from '../../../words/confidence.ts';

/** Length of the half circle of radius 50. */
const LENGTH = Math.PI * 50;

/** Shows the probability that the hits contain the answer: an arc, the number and its meaning. */
export const Gauge = ({ confidence, verdict }: { confidence: number; verdict: string }) => {
  const mood = confidence >= 0.6 ? 'high' : confidence >= 0.3 ? 'middle' : 'low';
  return (
    <div className={`gauge card ${mood}`}>
      <div>
        <meter className="hidden" aria-label="Confidence" value={confidence}>
          {verdict}
        </meter>
        <svg viewBox="0 0 120 68" aria-hidden="true" focusable="false">
          <path className="track" d="M10 60a50 50 0 01100 0" />
          <path
            className="value"
            d="M10 60a50 50 0 01100 0"
            strokeDasharray={`${confidence * LENGTH} ${LENGTH + 20}`}
          />
          <text x="60" y="58" textAnchor="middle">
            {confidence.toFixed(2)}
          </text>
        </svg>
      </div>
      <div>
        <p className="verdict">{verdict}</p>
        <p className="muted">{confidenceExplained(confidence)}</p>
      </div>
    </div>
  );
};
