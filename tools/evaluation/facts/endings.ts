/**
 * Stories of things that end or are replaced, and of things that only seem to: what holds after the last
 * line. See README.md.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { makeRulesExtractor } from '../../../domain/extraction/extract.ts';
import type { Dated, Fact } from '../../../domain/facts/holds/dated-facts.ts';
import { standingOf } from '../../../domain/facts/holds/standing.ts';
import { factsOfLine } from './facts-of-line.ts';

export interface Story {
  kind: 'change' | 'keep';
  /** Its subject, in a word or two. */
  of: string;
  /** Messages of one person, ten days apart. */
  lines: readonly string[];
  /** Words of values that hold at the end, and of those that don't. */
  now: readonly string[];
  gone: readonly string[];
}

/**
 * A change is `right`, `stale` (an old value holds), `ended` (it doesn't, and the new one isn't known) or
 * `unknown` (nothing of it was ever known); a keep is `right`, `lost` or `unknown`.
 */
export type Outcome = 'right' | 'stale' | 'ended' | 'lost' | 'unknown';

const FIRST = Date.UTC(2026, 8, 1, 12);
const APART = 10 * 86_400_000;

const extract = makeRulesExtractor();

const factsOf = (lines: readonly string[]): Fact<Dated>[] =>
  lines.flatMap((text, at) => {
    const timestamp = FIRST + at * APART;
    const own = at === 0 ? undefined : lines[at - 1];
    const { observations } = extract({ role: 'user', text, timestamp, own });
    const said = observations.flatMap(({ fact }) => fact ?? []);
    return factsOfLine({ at, role: 'user', text, timestamp, recordedAt: timestamp }, said);
  });

const names = (values: readonly string[], word: string): boolean =>
  values.some(value => value.toLowerCase().includes(word.toLowerCase()));

/** Tells a story, and says what came of it. */
export const tellEnding = ({ kind, lines, now, gone }: Story): Outcome => {
  const facts = factsOf(lines);
  const { holding } = standingOf(facts, FIRST + lines.length * APART);
  const held = [...holding.values()].flat().map(({ said }) => said[0].fact.value);
  const known = facts.map(({ fact }) => fact.value);
  const isRight = now.every(word => names(held, word));
  if (kind === 'keep') return isRight ? 'right' : now.some(word => names(known, word)) ? 'lost' : 'unknown';
  if (gone.some(word => names(held, word))) return 'stale';
  if (isRight && (now.length > 0 || gone.some(word => names(known, word)))) return 'right';
  return gone.some(word => names(known, word)) ? 'ended' : 'unknown';
};

/** Reads the stories of each author. */
export const readEndings = (): ReadonlyMap<string, readonly Story[]> => {
  const folder = new URL('endings/', import.meta.url);
  const files = readdirSync(folder)
    .filter(name => name.endsWith('.jsonl'))
    .sort();
  return new Map(
    files.map(name => {
      const lines = readFileSync(new URL(name, folder), 'utf8').trim().split('\n');
      return [basename(name, '.jsonl'), lines.map((line): Story => JSON.parse(line))];
    }),
  );
};

const OF_CHANGES = ['right', 'stale', 'ended', 'unknown'] as const;
const OF_KEEPS = ['right', 'lost', 'unknown'] as const;

/** Prints how the stories of each author came out; every second one is open, and listed with `show`. */
export const measureEndings = (show: boolean): void => {
  console.log('endings: what holds after the last line (open half, closed half)');
  const sums = new Map<string, [open: number, closed: number]>();
  for (const [author, stories] of readEndings()) {
    const told = stories.map((story, at) => ({ story, half: at % 2, outcome: tellEnding(story) }));
    const count = (kind: Story['kind'], outcome: Outcome): string => {
      const [open, closed] = [0, 1].map(
        half =>
          told.filter(each => each.half === half && each.story.kind === kind && each.outcome === outcome)
            .length,
      ) as [number, number];
      const key = `${kind} ${outcome}`;
      const [before, closedBefore] = sums.get(key) ?? [0, 0];
      sums.set(key, [before + open, closedBefore + closed]);
      return `${outcome} ${open}, ${closed}`;
    };
    const changes = OF_CHANGES.map(outcome => count('change', outcome)).join('; ');
    const keeps = OF_KEEPS.map(outcome => count('keep', outcome)).join('; ');
    console.log(`  ${author.padEnd(14)} changes: ${changes}. keeps: ${keeps}`);
    if (show)
      for (const { story, half, outcome } of told)
        if (half === 0 && outcome !== 'right') console.log(`    ${outcome}: ${story.lines.join(' / ')}`);
  }
  const all = [...sums].map(([key, [open, closed]]) => `${key} ${open}, ${closed}`);
  console.log(`  ${'all'.padEnd(14)} ${all.join('; ')}`);
};
