import type { Candidate, Document } from '../../search/document.ts';
import { byTime } from './by-time.ts';
import { FEATURES } from './feature-names.ts';
import { type FeatureTable, featureTable, type Prepared } from './features.ts';

/** Returns the candidates, with each long one replaced by its passages. */
export const partsOf = (
  candidates: readonly Candidate[],
  isParted: (candidate: Candidate) => boolean = () => true,
): Candidate[] => {
  const parts: Candidate[] = [];
  for (const candidate of candidates) {
    const whole = candidate.document;
    if (whole.passages && isParted(candidate))
      parts.push(
        ...whole.passages.map((document, index) => ({ ...candidate, document, part: { index, whole } })),
      );
    else parts.push(candidate);
  }
  return parts;
};

/**
 * Above this many passages only the best turns are split. A thousand candidates of 600 words have 8,000
 * passages, which take a tenth of a second; the longest texts have 64 passages each.
 */
const MOST_PARTS = 10_000;

const passagesIn = ({ document }: Candidate): number => document.passages?.length ?? 1;

/** Each candidate once, as its best part, with the features and the sum that rank it. */
export interface Scored {
  candidates: Candidate[];
  table: FeatureTable;
  /** One sum per candidate. */
  sums: Float64Array;
}

/** Returns the best part of each candidate, as indices of `parts`; of equal ones the first. */
export const bestParts = (parts: readonly Pick<Candidate, 'part'>[], sums: Float64Array): number[] => {
  const best: number[] = [];
  for (const [p, { part }] of parts.entries()) {
    if (!part || part.index === 0) best.push(p);
    else if (sums[p]! > sums[best.at(-1)!]!) best[best.length - 1] = p;
  }
  return best;
};

/**
 * Returns the candidate as the part that shares the most words with a text found in it. Ties go to the part
 * that it was ranked by, then to the first.
 */
export const byPartWith = <T extends Pick<Candidate, 'document' | 'part'>>(
  candidate: T,
  { stems }: Pick<Document, 'stems'>,
): T => {
  const { part } = candidate;
  if (!part) return candidate;
  const passages = part.whole.passages!;
  const wanted = new Set(stems);
  const shared = passages.map(passage =>
    passage.stems.reduce((n, stem) => n + (wanted.has(stem) ? 1 : 0), 0),
  );
  const most = Math.max(...shared);
  if (shared[part.index] === most) return candidate;
  const index = shared.indexOf(most);
  return { ...candidate, document: passages[index]!, part: { ...part, index } };
};

/** Returns these rows of a table, in this order. */
export const rowsAt = (rows: Float32Array, width: number, indices: readonly number[]): Float32Array => {
  const out = new Float32Array(indices.length * width);
  // Copied by hand: a view of each row would be as much garbage as the rows.
  for (let i = 0, at = 0; i < indices.length; i++)
    for (let from = indices[i]! * width, f = 0; f < width; f++) out[at++] = rows[from + f]!;
  return out;
};

/** Reduces the parts to each candidate's best. */
export const byBestPart = (
  parts: readonly Candidate[],
  { rows, matches }: FeatureTable,
  sums: Float64Array,
): Scored => {
  // Chats between people have hardly any long turns.
  if (!parts.some(({ part }) => part)) return { candidates: [...parts], table: { rows, matches }, sums };
  const best = bestParts(parts, sums);
  return {
    candidates: best.map(p => parts[p]!),
    table: { rows: rowsAt(rows, FEATURES.length, best), matches: best.map(p => matches[p]!) },
    sums: Float64Array.from(best, p => sums[p]!),
  };
};

/**
 * Scores candidates by a linear sum of their features. The best passage of a long text stands for it: an
 * answer of 600 words is, on average, about everything, and the part that was asked for is in one of its
 * paragraphs.
 */
export const scored = (
  prepared: Prepared,
  candidates: readonly Candidate[],
  sumsOf: (rows: Float32Array) => Float64Array,
): Scored => {
  const parts = partsOf(candidates, affordable(prepared, candidates, sumsOf));
  const table = featureTable(prepared, parts);
  return byBestPart(parts, table, sumsOf(table.rows));
};

/**
 * Selects the candidates to rank by passages: all of them, or the best by their whole text if all would be
 * too many.
 */
const affordable = (
  prepared: Prepared,
  candidates: readonly Candidate[],
  sumsOf: (rows: Float32Array) => Float64Array,
): ((candidate: Candidate) => boolean) => {
  const all = candidates.reduce((sum, one) => sum + passagesIn(one), 0);
  if (all <= MOST_PARTS) return () => true;
  const sums = sumsOf(featureTable(prepared, candidates).rows);
  const best = [...candidates.keys()].sort(
    (a, b) => sums[b]! - sums[a]! || byTime(candidates[a]!, candidates[b]!),
  );
  let left = MOST_PARTS;
  const parted = new Set<Candidate>();
  for (const c of best) {
    left -= passagesIn(candidates[c]!);
    if (left < 0) break;
    parted.add(candidates[c]!);
  }
  return candidate => parted.has(candidate);
};
