import { RULES, type Rule } from './rules.ts';

/** How often each rule replaced something, by its name; rules that didn't are left out. */
export type Screened = Record<string, number>;

/**
 * Returns the text that stands where a secret was. Round brackets and a space: no rule finds it again, a
 * role is still marked by square brackets alone, and a URL with it is none.
 */
export const placeholder = (rule: string): string => `(secret: ${rule})`;

const replaced = (text: string, { name, pattern, endOf }: Rule, count: () => void): string => {
  let screened = '';
  let from = 0;
  // One that threw in the middle of another text would begin there.
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    const matched = match.index + match[0].length;
    const start = matched - (match.groups?.secret ?? match[0]).length;
    const end = endOf ? endOf(text, start, matched) : matched;
    // A number that isn't one may end in the beginning of one that is.
    pattern.lastIndex = end ?? match.index + 1;
    if (end === undefined) continue;
    screened += text.slice(from, start) + placeholder(name);
    from = end;
    count();
  }
  return screened + text.slice(from);
};

/**
 * Returns the text with a placeholder for each secret, and adds to `counts`. Time in proportion to the text.
 * No rule finds a placeholder again.
 */
export const screen = (text: string, counts: Screened): string => {
  // Shorter than any secret with its name.
  if (text.length < 8) return text;
  const folded = text.toLowerCase();
  let screened = text;
  for (const rule of RULES) {
    if (rule.hints && !rule.hints.some(hint => folded.includes(hint))) continue;
    screened = replaced(screened, rule, () => {
      counts[rule.name] = (counts[rule.name] ?? 0) + 1;
    });
  }
  return screened;
};
