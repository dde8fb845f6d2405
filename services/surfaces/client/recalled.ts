import type { FragmentHit } from '../../../schemas/http/hits.ts';

/** The calibrated probability that the hits contain the answer, in words. */
export const confidenceInWords = (confidence: number): string => {
  if (confidence >= 0.8) return 'very likely answered';
  if (confidence >= 0.6) return 'likely answered';
  if (confidence >= 0.4) return 'perhaps answered';
  return confidence >= 0.2 ? 'unlikely to be answered' : 'very unlikely to be answered';
};

/** The contract renders a turn as `[date] [role] text`; this returns only the text. */
export const ownWords = (hit: FragmentHit): string => {
  const undated = hit.text.replace(/^\[\d{4}-\d{2}-\d{2}\] /, '');
  if (hit.kind !== 'turn') return undated;
  const marker = `[${hit.role}] `;
  return undated.startsWith(marker) ? undated.slice(marker.length) : undated;
};
