const BUDGET = 400;

/**
 * A chronological summary of hits: one line an event, `YYYY-MM-DD: text`, the oldest first, within 400 tokens.
 * Hits come best first; the best ones that fit are kept, and one that doesn't fit is cut at a word.
 *
 * @param hits timestamps in Unix milliseconds, texts without date or role
 * @returns null without hits
 */
export const timeline = (
  hits: readonly { timestamp: number; text: string }[],
  countTokens: (text: string) => number,
): string | null => {
  const lines: { timestamp: number; line: string; order: number }[] = [];
  const seen = new Set<string>();
  let left = BUDGET;
  for (const [order, { timestamp, text }] of hits.entries()) {
    const words = text.trim().split(/\s+/).join(' ');
    const date = new Date(timestamp).toISOString().slice(0, 10);
    const line = cutToFit(`${date}: ${words}`, Math.min(left, LINE), countTokens);
    if (words === '' || seen.has(line)) continue;
    if (line.length <= date.length + 2) break;
    seen.add(line);
    lines.push({ timestamp, line, order });
    // Two lines joined by a newline may be one token longer than the sum.
    left -= countTokens(line) + 1;
    if (left < SHORTEST) break;
  }
  if (lines.length === 0) return null;
  lines.sort((a, b) => a.timestamp - b.timestamp || a.order - b.order);
  return lines.map(({ line }) => line).join('\n');
};

/** One long turn must not take the whole summary. */
const LINE = 60;
const SHORTEST = 12;
const LONGEST_TOKEN = 128;

/** The longest beginning of `line`, by whole words, within `budget` tokens. */
const cutToFit = (line: string, budget: number, countTokens: (text: string) => number): string => {
  // A token is never longer than this many characters: what is beyond can't be in the summary.
  const head = line.slice(0, budget * LONGEST_TOKEN);
  if (head.length === line.length && countTokens(line) <= budget) return line;
  const words = head.split(' ');
  let low = 0;
  let high = words.length;
  const cut = (count: number) => `${words.slice(0, count).join(' ')}…`;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if (countTokens(cut(middle)) <= budget) low = middle;
    else high = middle - 1;
  }
  return low < 2 ? '' : cut(low);
};
