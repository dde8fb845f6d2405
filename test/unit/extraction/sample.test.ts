import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { makeRulesExtractor } from '../../../projections/extraction/extract.ts';
import {
  type LabelledTurn,
  likeness,
  type Score,
  scoreExtraction,
} from '../../evaluation/extraction-score.ts';

interface Sample {
  timestamp: string;
  turns: LabelledTurn[];
}

const read = (name: string): Sample =>
  JSON.parse(readFileSync(new URL(`../../evaluation/${name}.json`, import.meta.url), 'utf8'));
const extract = makeRulesExtractor();

function measure(name: string, { timestamp }: Sample, turns: readonly LabelledTurn[]) {
  const score = scoreExtraction(turns, Date.parse(timestamp), extract);
  const line = (kind: string, { precision, recall, f1 }: Score): string =>
    `  ${kind}: precision ${precision.toFixed(3)}, recall ${recall.toFixed(3)}, F1 ${f1.toFixed(3)}`;
  console.log(
    [`${name}, ${turns.length} turns`, line('facts', score.facts), line('entities', score.entities)].join(
      '\n',
    ),
  );
  return score;
}

it("keeps what it knew: the sample of the rules' author", () => {
  const sample = read('extraction-sample');
  const { facts, entities } = measure('own sample', sample, sample.turns);
  expect(sample.turns).toHaveLength(100);
  expect(facts.precision).toBeGreaterThanOrEqual(0.9);
  expect(facts.recall).toBeGreaterThanOrEqual(0.9);
  expect(entities.f1).toBeGreaterThanOrEqual(0.95);
});

it('finds the facts and entities of the sample that was labelled before it was run', () => {
  const sample = read('extraction-sample-independent');
  const development = measure('independent sample, development half', sample, sample.turns.slice(0, 50));
  if (process.env.TURNSTONE_SHOW_ERRORS) console.log(development.errors.join('\n'));
  measure('independent sample, held-out half', sample, sample.turns.slice(50));
  const { facts, entities } = measure('independent sample', sample, sample.turns);
  expect(sample.turns).toHaveLength(100);
  expect(facts.precision).toBeGreaterThanOrEqual(0.73);
  expect(entities.f1).toBeGreaterThanOrEqual(0.85);
});

it.each([
  ['Ada sold the boat on 3 May 2024.', 'Ada sold her boat on 3 May 2024.', true],
  ['Ada and others need a kitchen.', 'Ada needs a kitchen.', true],
  ['Ada said the shop is closed.', 'The shop is closed.', true],
  ['Ada sold the boat on 3 May 2024.', 'Ada sold the boat on 4 May 2024.', false],
  ['Ada sold the boat.', 'Ada sold the boat on 4 May 2024.', false],
  ['Ada likes tea and cake.', "Ada doesn't like tea and cake.", false],
  ["Ada's brother lives in Porto.", 'Ada lives in Porto.', false],
  ['Ada lives in Porto.', 'Ada lives in Lisbon.', false],
])('compares "%s" with "%s"', (made, label, same) => {
  expect(likeness(made, label, 'Ada') >= 0.7).toBe(same);
});
