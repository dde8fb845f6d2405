import { OBSERVATION_LENGTH, type SaidFact } from '../../../schemas/facts.ts';

/**
 * A sentence with what it says of somebody corrected: "Ada lives in Lisbon" with the value Porto is "Ada
 * lives in Porto". A sentence that doesn't have the old words gives way to one that says the fact and nothing
 * more.
 */
export const reworded = (text: string, old: SaidFact, now: SaidFact): string => {
  let words: string | undefined = text;
  for (const name of ['subject', 'value'] as const)
    if (words !== undefined && old[name] !== now[name]) words = withWords(words, old[name], now[name]);
  if (words === undefined || old.attribute !== now.attribute)
    return `${now.subject}: ${now.ended ? 'no longer ' : ''}${now.attribute.replaceAll('_', ' ')} ${now.value}`.trim();
  return words;
};

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

/** Undefined where the text doesn't have the old words, or would be longer than an observation may be. */
const withWords = (text: string, old: string, now: string): string | undefined => {
  if (old === '') return undefined;
  const whole = new RegExp(`(?<![\\p{L}\\p{N}])${escaped(old)}(?![\\p{L}\\p{N}])`, 'giu');
  const found = text.match(whole);
  if (!found) return undefined;
  const length = found.reduce((sum, one) => sum + now.length - one.length, text.length);
  return length > OBSERVATION_LENGTH ? undefined : text.replace(whole, () => now);
};
