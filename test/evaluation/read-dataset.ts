import { readFileSync } from 'node:fs';
import { makeCheck } from '../../schemas/ajv.ts';
import { id } from '../../schemas/http/parts.ts';
import { recallSchema } from '../../schemas/http/recall.ts';
import { makeFaults } from '../../services/surfaces/cli/ingest/faults.ts';
import { EXIT, failure } from '../../services/surfaces/client/exit.ts';
import type { Dataset } from './dataset.ts';
import { parseJsonLines } from './json-lines.ts';
import { parseLocomo } from './locomo.ts';
import { datasetOfLocomo } from './locomo-dataset.ts';

/** As much of LoCoMo as names what is wrong with a file; its parser reads the rest. */
const checkLocomo = makeCheck({
  type: 'array',
  items: {
    type: 'object',
    required: ['sample_id', 'conversation', 'qa'],
    properties: {
      sample_id: id,
      conversation: { type: 'object' },
      qa: {
        type: 'array',
        items: {
          type: 'object',
          required: ['question', 'category'],
          properties: {
            question: recallSchema.properties.q,
            category: { type: 'integer', minimum: 1, maximum: 5 },
          },
        },
      },
    },
  },
});

const refuse = (what: string): never => {
  throw failure(EXIT.failure, what);
};

/** Neither JSON.parse nor the parser may tell what went wrong: their words quote the file. */
const attempt = <T>(read: () => T, what: string): T => {
  try {
    return read();
  } catch {
    return refuse(what);
  }
};

const readLocomo = (text: string): Dataset => {
  const checked = checkLocomo(attempt(() => JSON.parse(text), 'is not JSON'));
  if (!checked.ok) {
    const [{ loc, message }] = checked.errors as [(typeof checked.errors)[number]];
    refuse(`is not in the LoCoMo format: ${loc.slice(1).join('.')} ${message}`);
  }
  return attempt(
    () => datasetOfLocomo(parseLocomo(text)),
    'is not in the LoCoMo format: a session, its time or the evidence cannot be read',
  );
};

const readJsonLines = (text: string): Dataset => {
  const parsed = parseJsonLines(text);
  if (parsed.ok) return parsed.dataset;
  const faults = makeFaults();
  for (const { number, faults: told } of parsed.lines) faults.add(number, told);
  const heading = `has ${faults.count()} faulty line${faults.count() === 1 ? '' : 's'}, nothing was loaded:`;
  return refuse([heading, ...faults.lines()].join('\n  '));
};

/** LoCoMo is one JSON array; JSON Lines are known by their name or by the object that they begin with. */
const read = (file: string, text: string): Dataset => {
  if (file.endsWith('.jsonl') || /^\s*\{/.test(text)) return readJsonLines(text);
  if (/^\s*\[/.test(text)) return readLocomo(text);
  return refuse('is neither JSON Lines nor a JSON array in the LoCoMo format');
};

/**
 * The questions and conversations of a file, LoCoMo or JSON Lines.
 * @throws a `Failure` that names all that is wrong, without a word of what the file holds
 */
export const readDataset = (file: string): Dataset => {
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch (error) {
    throw failure(EXIT.failure, `can't read ${file}: ${(error as NodeJS.ErrnoException).code}`, error);
  }
  try {
    const decoder = new TextDecoder('utf-8', { fatal: true });
    const dataset = read(
      file,
      attempt(() => decoder.decode(bytes), 'is not UTF-8'),
    );
    if (dataset.conversations.every(({ questions }) => questions.length === 0)) refuse('has no questions');
    return dataset;
  } catch (error) {
    throw failure(EXIT.failure, `${file} ${(error as Error).message}`);
  }
};
