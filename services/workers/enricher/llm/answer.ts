import { normaliseLabel } from '../../../../domain/extraction/names/label.ts';
import { sameWords } from '../../../../domain/extraction/sentences/same-words.ts';
import { type FoundByModel, isFoundByModel } from '../../../../schemas/extraction.ts';
import type { SaidObservation } from '../../../../schemas/facts.ts';
import type { Extraction } from '../extractor.ts';
import { factOf } from './fact.ts';

/** A model's findings per turn have the same limits as a client's. */
const MOST_OBSERVATIONS = 64;
const LONGEST_OBSERVATION = 4_096;
const MOST_ENTITIES = 64;
const LONGEST_LABEL = 256;

/** `reason` is only the kind of fault; it never quotes the answer. */
export type ReadAnswer = { ok: true; extraction: Extraction } | { ok: false; reason: string };

interface Completion {
  choices?: { finish_reason?: unknown; message?: { content?: unknown; refusal?: unknown } }[];
}

/** Reads a chat completion, of any shape, as facts and entities. */
export const readAnswer = (completion: unknown): ReadAnswer => {
  const choices = (completion as Completion | null)?.choices;
  const choice = Array.isArray(choices) ? choices[0] : undefined;
  if (!choice?.message) return fault('an answer without a choice');
  const { finish_reason, message } = choice;
  if (message.refusal) return fault('a refusal');
  if (finish_reason === 'content_filter') return fault('an answer that was filtered');
  if (finish_reason === 'length') return fault('an answer that was cut off');
  if (typeof message.content !== 'string') return fault('an answer without content');
  let found: unknown;
  try {
    found = JSON.parse(message.content);
  } catch {
    return fault('content that is not JSON');
  }
  return isFoundByModel(found)
    ? { ok: true, extraction: cleaned(found) }
    : fault('content of another schema');
};

const fault = (reason: string): ReadAnswer => ({ ok: false, reason });

/** The text as one line of well-formed Unicode, in the order in which it is stored. */
const oneLine = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[\u202a-\u202e\u2066-\u2069]/gu, '')
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim();

/** Drops empty, too long and repeated items, dates among the entities, and those above the limits. */
const cleaned = ({ observations, entities }: FoundByModel): Extraction => {
  const facts: SaidObservation[] = [];
  for (const { text: given, ...said } of observations) {
    if (facts.length === MOST_OBSERVATIONS) break;
    const text = oneLine(given);
    if (!isOf(LONGEST_OBSERVATION, text) || facts.some(each => sameWords(each.text, text))) continue;
    const fact = factOf(said, oneLine);
    facts.push(fact ? { text, fact } : { text });
  }
  const labels = new Map<string, { label: string; kind: string }>();
  for (const { label: given, kind } of entities) {
    if (labels.size === MOST_ENTITIES) break;
    const label = oneLine(given);
    // Events have held dates as entities; new ones don't, whatever a model answers.
    if (kind === 'date') continue;
    if (!isOf(LONGEST_LABEL, label)) continue;
    const name = normaliseLabel(label);
    if (!labels.has(name)) labels.set(name, { label, kind });
  }
  return { observations: facts, entities: [...labels.values()] };
};

/** Whether the text has a letter or digit and at most `most` characters. */
const isOf = (most: number, text: string): boolean => text.length <= most && /[\p{L}\p{N}]/u.test(text);
