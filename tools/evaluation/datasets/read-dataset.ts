import { makeCheck } from '../../../schemas/ajv.ts';
import { id } from '../../../schemas/http/parts/parts.ts';
import { recallSchema } from '../../../schemas/http/recall.ts';
import { makeFaults } from '../../../services/surfaces/cli/ingest/input-faults.ts';
import { EXIT, failure } from '../../../services/surfaces/client/exit.ts';
import type { Dataset } from './dataset.ts';
import { parseJsonLines } from './json-lines.ts';
import { parseLocomo } from './locomo.ts';
import { datasetOfLocomo } from './locomo-dataset.ts';
import { formatOf, readPublished, type Source } from './read-published.ts';
import { attempt, isFolder, readText, sourcesIn, sourcesOf } from './sources.ts';

/** Checks enough of LoCoMo to name a file's faults; its parser reads the rest. */
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

/**
 * Reads a dataset. The published formats are objects, LoCoMo is an array; everything else that begins with an
 * object is JSON Lines.
 */
const read = (file: string, text: string): Dataset => {
  if (/^\s*\[/.test(text) && !file.endsWith('.jsonl')) return readLocomo(text);
  if (!file.endsWith('.jsonl') && !/^\s*\{/.test(text))
    return refuse('is neither JSON Lines nor JSON in one of the formats of docs/reference/evaluation.md');
  return isPublished(text) ? published(sourcesOf(file, text)) : readJsonLines(text);
};

/**
 * Whether a text has a published format, which its whole or its first line shows: published files are never
 * slow to detect.
 */
const isPublished = (text: string): boolean => {
  const parsed = (json: string): unknown => {
    try {
      return JSON.parse(json);
    } catch {
      return undefined;
    }
  };
  return formatOf(parsed(text) ?? parsed(text.trimStart().split('\n', 1)[0]!)) !== undefined;
};

const published = (sources: readonly Source[]): Dataset => {
  const result = readPublished(sources);
  return result.ok ? result.dataset : refuse(result.message);
};

const readFolder = (folder: string): Dataset => {
  const sources = sourcesIn(folder);
  const [first] = sources;
  if (!first || !formatOf(first.value))
    return refuse('holds no data in one of the formats of docs/reference/evaluation.md');
  return published(sources);
};

/**
 * Reads the questions and conversations of a file or a folder; its content shows its format
 * (docs/reference/evaluation.md).
 * @throws a `Failure` that names all faults, without a word of the content
 */
export const readDataset = (path: string): Dataset => {
  const folder = isFolder(path);
  const text = folder ? '' : readText(path);
  try {
    const dataset = folder ? readFolder(path) : read(path, text);
    if (dataset.conversations.every(({ questions }) => questions.length === 0)) refuse('has no questions');
    return dataset;
  } catch (error) {
    const { message } = error as Error;
    throw failure(EXIT.failure, message.startsWith(path) ? message : `${path} ${message}`);
  }
};
