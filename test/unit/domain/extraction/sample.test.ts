import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { makeRulesExtractor } from '../../../../domain/extraction/extract.ts';
import { normaliseWords } from '../../../../domain/extraction/sentences/same-words.ts';
import {
  type LabelledTurn,
  likeness,
  type Score,
  scoreExtraction,
} from '../../../../tools/evaluation/facts/extraction-score.ts';

interface Sample {
  timestamp: string;
  turns: LabelledTurn[];
}

const read = (name: string): Sample =>
  JSON.parse(
    readFileSync(new URL(`../../../../tools/evaluation/facts/${name}.json`, import.meta.url), 'utf8'),
  );
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
  // Its labels have captions and what the assistant explained, which are left out, and lack whose sister is
  // called what.
  expect(facts.precision).toBeGreaterThanOrEqual(0.85);
  expect(facts.recall).toBeGreaterThanOrEqual(0.75);
  expect(entities.f1).toBeGreaterThanOrEqual(0.95);
});

it('finds the facts and entities of the sample that was labelled before it was run', () => {
  const sample = read('extraction-sample-independent');
  const development = measure('independent sample, development half', sample, sample.turns.slice(0, 50));
  if (process.env.TURNSTONE_SHOW_ERRORS) console.log(development.errors.join('\n'));
  const heldOut = measure('independent sample, held-out half', sample, sample.turns.slice(50));
  const { facts, entities } = measure('independent sample', sample, sample.turns);
  expect(sample.turns).toHaveLength(100);
  expect(facts.precision).toBeGreaterThanOrEqual(0.85);
  expect(entities.f1).toBeGreaterThanOrEqual(0.75);
  // The half that nothing was fitted to: below 0.85, see docs/internals/measurements/extraction.md.
  expect(heldOut.facts.precision).toBeGreaterThanOrEqual(0.7);
  expect(heldOut.entities.f1).toBeGreaterThanOrEqual(0.85);
});

it('makes no question, no greeting, no first person, no relative date and nothing twice of either sample', () => {
  for (const name of ['extraction-sample', 'extraction-sample-independent']) {
    const { timestamp, turns } = read(name);
    let made = 0;
    for (const { role, text } of turns) {
      const facts = extract({ role, text, timestamp: Date.parse(timestamp) }).observations.map(
        each => each.text,
      );
      made += facts.length;
      expect(new Set(facts.map(normaliseWords)).size).toBe(facts.length);
      for (const fact of facts) {
        expect(fact).not.toMatch(/[?？]/);
        expect(fact).not.toMatch(
          /^(?:\S+ said )?(?:he+y|hi+|hello|good (?:morning|evening)|thanks|thank you|bye)\b/i,
        );
        expect(fact).not.toMatch(/(?<![\w'’])(?:I|I['’]m|my|me|we|our|us)(?![\w'’])/);
        expect(fact).not.toMatch(
          /\b(?:yesterday|tomorrow|tonight|ago|(?:last|next|this) (?:week|month|year|night|friday|thursday))\b/i,
        );
      }
    }
    expect(made).toBeGreaterThan(50);
  }
});

it.each([
  ['Ada sold the boat on 3 May 2024.', 'Ada sold her boat on 3 May 2024.', true],
  ['Ada and others need a kitchen.', 'Ada needs a kitchen.', true],
  ['Ada said the shop is closed.', 'The shop is closed.', true],
  ['Ada sold the boat on 3 May 2024.', 'Ada sold the boat on 4 May 2024.', false],
  ['Ada sold the boat.', 'Ada sold the boat on 4 May 2024.', false],
  ['Ada likes tea and cake.', "Ada doesn't like tea and cake.", false],
  ["Ada's brother lives in Porto.", 'Ada lives in Porto.', false],
  ["Ada's brother Ben lives in Porto.", 'Ben lives in Porto.', true],
  ['Ada lives in Porto.', 'Ada lives in Lisbon.', false],
])('compares "%s" with "%s"', (made, label, same) => {
  expect(likeness(made, label, 'Ada') >= 0.7).toBe(same);
});
