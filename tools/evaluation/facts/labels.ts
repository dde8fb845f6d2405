/** Turns whose facts and entities two readers labelled, and how well the rules find them. */
import { readFileSync } from 'node:fs';
import { type Extraction, makeRulesExtractor, normaliseLabel } from '../../../domain/extraction/extract.ts';
import { sameAttribute, sameValue, sayTheSame, shareWords } from './alike.ts';

interface Turn {
  chat: string;
  turn: number;
  role: string;
  text: string;
  timestamp: string;
}
interface LabelledFact {
  text: string;
  subject: string;
  attribute: string | null;
  value: string | null;
  by_self: boolean;
  optional: boolean;
  needs_context: boolean;
}
interface Labels {
  facts: LabelledFact[];
  entities: { label: string; optional: boolean }[];
}

export type Half = 'open' | 'closed';

const linesOf = <Row>(half: Half, name: string): Row[] =>
  readFileSync(new URL(`chats/${half}-${name}.jsonl`, import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map(line => JSON.parse(line) as Row);

const share = () => {
  let right = 0;
  let all = 0;
  return {
    add: (isRight: boolean): void => {
      all++;
      if (isRight) right++;
    },
    value: (): number => right / all,
    toString: (): string => `${(right / all).toFixed(3)} (${right}/${all})`,
  };
};

const makeFigures = () => ({
  precision: share(),
  'precision, words alone': share(),
  'recall of oneself': share(),
  'recall of oneself, without context': share(),
  'attribute and value': share(),
  'entities, precision': share(),
  'entities, recall': share(),
});
type Figures = ReturnType<typeof makeFigures>;

/** Whether both have similar words, or the rule's attribute and value are the label's. */
const matches = (
  { text, fact }: Extraction['observations'][number],
  label: LabelledFact,
  role: string,
): boolean =>
  sayTheSame(text, label.text, role) ||
  (fact !== undefined &&
    label.attribute !== null &&
    sameAttribute(fact.attribute, label.attribute) &&
    sameValue(fact.value, label.value ?? ''));

function compareFacts(
  figures: Figures,
  { role, text }: Turn,
  { observations }: Extraction,
  labels: readonly Labels[],
  show: boolean,
): void {
  const known = labels.flatMap(each => each.facts);
  for (const each of observations) {
    const { text: made, fact } = each;
    const matching = known.filter(label => matches(each, label, role));
    figures.precision.add(matching.length > 0);
    figures['precision, words alone'].add(known.some(label => shareWords(made, label.text)));
    if (show && matching.length === 0) console.log(`+ ${made}   (${text.slice(0, 120)})`);
    const valued = matching.filter(label => label.attribute !== null);
    if (fact === undefined || valued.length === 0) continue;
    const isRight = valued.some(
      ({ attribute, value }) =>
        sameAttribute(fact.attribute, attribute ?? '') && sameValue(fact.value, value ?? ''),
    );
    figures['attribute and value'].add(isRight);
    if (show && !isRight)
      console.log(
        `≠ ${fact.attribute}=${fact.value}, labels ${valued.map(each => `${each.attribute}=${each.value}`).join('; ')}`,
      );
  }
  for (const label of known.filter(each => each.by_self && !each.optional)) {
    const isFound = observations.some(each => matches(each, label, role));
    figures['recall of oneself'].add(isFound);
    if (!label.needs_context) figures['recall of oneself, without context'].add(isFound);
    if (show && !isFound)
      console.log(`- ${label.needs_context ? '(c) ' : ''}${label.text}   (${text.slice(0, 160)})`);
  }
}

function compareEntities(
  figures: Figures,
  { role }: Turn,
  { entities }: Extraction,
  labels: readonly Labels[],
): void {
  // Dates belong to facts, and the speaker is known without reading.
  const made = entities
    .filter(({ kind, label }) => kind !== 'date' && label !== role)
    .map(({ label }) => normaliseLabel(label));
  const known = labels.flatMap(each => each.entities);
  const allowed = new Set(known.map(({ label }) => normaliseLabel(label)));
  const wanted = new Set(known.filter(each => !each.optional).map(({ label }) => normaliseLabel(label)));
  for (const label of made) figures['entities, precision'].add(allowed.has(label));
  for (const label of wanted) figures['entities, recall'].add(made.includes(label));
}

/**
 * Prints how well the rules find the facts and entities that two readers would keep.
 *
 * @param show whether to list the errors, of the open half alone
 */
export const measureLabels = (half: Half, show: boolean): void => {
  const figures = makeFigures();
  const extract = makeRulesExtractor();
  const labels = [linesOf<Labels>(half, 'labels-a'), linesOf<Labels>(half, 'labels-b')];
  for (const [at, turn] of linesOf<Turn>(half, 'turns').entries()) {
    const found = extract({ role: turn.role, text: turn.text, timestamp: Date.parse(turn.timestamp) });
    const known = labels.map(each => each[at]!);
    compareFacts(figures, turn, found, known, show && half === 'open');
    compareEntities(figures, turn, found, known);
  }
  for (const [name, figure] of Object.entries(figures)) console.log(`  ${name}: ${figure}`);
  const precision = figures['entities, precision'].value();
  const recall = figures['entities, recall'].value();
  console.log(`  entities, F1: ${((2 * precision * recall) / (precision + recall)).toFixed(3)}`);
};
