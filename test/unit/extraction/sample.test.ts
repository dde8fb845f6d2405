import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { makeRulesExtractor, normaliseLabel } from '../../../projections/extraction/extract.ts';

interface Sample {
  timestamp: string;
  turns: { role: string; text: string; facts: string[]; entities: string[] }[];
}

const sample: Sample = JSON.parse(
  readFileSync(new URL('../../evaluation/extraction-sample.json', import.meta.url), 'utf8'),
);
const EMPTY = new Set(
  'a an the and but so of to in on at for with it is are was were has have had be been just also really'.split(
    ' ',
  ),
);

const contentOf = (fact: string): string[] =>
  (fact.toLowerCase().match(/[\p{L}\p{N}]+(?:['’][\p{L}]+)?/gu) ?? []).filter(word => !EMPTY.has(word));

/** The same fact in other words at most: four fifths of the content words of both, and no "not" that one lacks. */
function isSameFact(one: string, other: string): boolean {
  const left = contentOf(one);
  const right = new Set(contentOf(other));
  const shared = left.filter(word => right.has(word)).length;
  const negative = (fact: string): boolean => /n't\b|\b(?:not|never|no)\b/i.test(fact);
  return (2 * shared) / (left.length + right.size) >= 0.8 && negative(one) === negative(other);
}

function scores(
  right: number,
  made: number,
  labelled: number,
): { precision: number; recall: number; f1: number } {
  const precision = right / made;
  const recall = right / labelled;
  return { precision, recall, f1: (2 * precision * recall) / (precision + recall) };
}

it('finds the facts and entities of the labelled sample', () => {
  const extract = makeRulesExtractor();
  const timestamp = Date.parse(sample.timestamp);
  const count = {
    facts: [0, 0, 0] as [number, number, number],
    entities: [0, 0, 0] as [number, number, number],
  };
  const wrong: string[] = [];
  for (const { role, text, facts, entities } of sample.turns) {
    const found = extract({ role, text, timestamp });
    const open = [...facts];
    for (const { text: fact } of found.observations) {
      const match = open.findIndex(label => isSameFact(fact, label));
      if (match >= 0) open.splice(match, 1);
      else wrong.push(`+ ${fact}`);
    }
    for (const fact of open) wrong.push(`- ${fact}`);
    count.facts[0] += facts.length - open.length;
    count.facts[1] += found.observations.length;
    count.facts[2] += facts.length;

    const labels = new Set(entities.map(normaliseLabel));
    const names = found.entities.map(({ label }) => normaliseLabel(label));
    const shared = names.filter(name => labels.has(name));
    for (const name of names) if (!labels.has(name)) wrong.push(`+ #${name} (${text})`);
    for (const label of labels) if (!names.includes(label)) wrong.push(`- #${label} (${text})`);
    count.entities[0] += shared.length;
    count.entities[1] += names.length;
    count.entities[2] += labels.size;
  }
  const facts = scores(...count.facts);
  const entities = scores(...count.entities);
  if (process.env.TURNSTONE_SHOW_ERRORS) console.log(wrong.join('\n'));
  const line = (name: string, { precision, recall, f1 }: typeof facts): string =>
    `${name}: precision ${precision.toFixed(3)}, recall ${recall.toFixed(3)}, F1 ${f1.toFixed(3)}`;
  console.log(
    `${sample.turns.length} labelled turns\n${line('facts', facts)}\n${line('entities', entities)}`,
  );

  expect(sample.turns).toHaveLength(100);
  expect(facts.precision).toBeGreaterThanOrEqual(0.85);
  expect(facts.recall).toBeGreaterThanOrEqual(0.75);
  expect(entities.f1).toBeGreaterThanOrEqual(0.75);
});
