import type { FragmentHit, ObservationHit, TurnHit } from '../../../schemas/http/parts/hits.ts';

/** The calibrated probability that the hits contain the answer, in words. */
export const confidenceInWords = (confidence: number): string => {
  if (confidence >= 0.8) return 'very likely answered';
  if (confidence >= 0.6) return 'likely answered';
  if (confidence >= 0.3) return 'perhaps answered';
  return confidence >= 0.2 ? 'unlikely to be answered' : 'very unlikely to be answered';
};

/** The contract renders a turn as `[date] [role] text`; this returns only the text. */
export const ownWords = (hit: FragmentHit): string => {
  const undated = hit.text.replace(/^\[\d{4}-\d{2}-\d{2}\] /, '');
  if (hit.kind !== 'turn') return undated;
  const marker = `[${hit.role}] `;
  return undated.startsWith(marker) ? undated.slice(marker.length) : undated;
};

/** Returns the ellipsis before a part if text was left out there. */
export const cutBefore = ({ part }: Pick<FragmentHit, 'part'>): string => (part && part.from > 0 ? '… ' : '');

/** `home of Grace: Porto`; undefined of an observation that is a sentence and nothing more. */
export const factInWords = ({
  subject,
  attribute,
  about,
  value,
  ended,
}: Pick<ObservationHit, 'subject' | 'attribute' | 'about' | 'value' | 'ended'>): string | undefined => {
  if (attribute === undefined) return undefined;
  const what = about === undefined ? attribute : `${attribute} (${about})`;
  const whose = subject ? `${what} of ${subject.label}` : what;
  if (ended) return value ? `${whose}: no longer ${value}` : `${whose}: none any more`;
  return `${whose}: ${value}`;
};

/**
 * `no longer: since 2026-06-05` of a hit that says what no longer holds; of a turn the day is not known, and
 * may be only likely.
 */
export const noLonger = (
  hit:
    | Pick<TurnHit, 'kind' | 'later' | 'superseded_by'>
    | Pick<ObservationHit, 'kind' | 'superseded_by' | 'valid_until'>,
): string | undefined => {
  if (hit.kind === 'turn' && hit.later !== undefined) return `likely no longer: ${hit.later} is later`;
  if (hit.superseded_by === undefined) return undefined;
  const until = hit.kind === 'observation' ? hit.valid_until : undefined;
  return until === undefined ? 'no longer holds' : `no longer: since ${until.slice(0, 10)}`;
};
