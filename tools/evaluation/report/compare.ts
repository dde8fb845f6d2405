/**
 * `npm run evaluate:compare -- BEFORE.json AFTER.json`: prints the differences between two reports, and which
 * of them may be chance.
 */
import { parseArgs } from 'node:util';
import { makeCheck } from '../../../schemas/ajv.ts';
import { table } from '../../../services/surfaces/cli/table.ts';
import { EXIT, failure } from '../../../services/surfaces/client/exit.ts';
import { parsedBy, runCommand, usageError } from '../command.ts';
import { METRICS } from '../measure/metrics.ts';
import { type Comparison, compare, pair } from './comparison.ts';
import { readReport } from './read-report.ts';
import type { Report } from './report.ts';
import { heading } from './report-text.ts';

const HELP = `npm run evaluate:compare -- BEFORE.json AFTER.json

Compares two reports of \`npm run evaluate -- FILE --json OUT\` that asked the same questions (docs/guides/evaluation.md).`;

const number = { type: 'number' } as const;
const string = { type: 'string' } as const;

/** Checks the compared part of a report. */
const checkReport = makeCheck<Report>({
  type: 'object',
  required: ['data', 'mode', 'measuredOn', 'questions'],
  properties: {
    data: string,
    mode: string,
    model: string,
    measuredOn: string,
    questions: {
      type: 'array',
      minItems: 1,
      items: {
        type: 'object',
        required: ['conversation', 'id', 'answerable', 'metrics', 'confidence', 'label'],
        properties: {
          conversation: string,
          id: string,
          answerable: { type: 'boolean' },
          metrics: {
            type: ['object', 'null'],
            required: [...METRICS],
            properties: Object.fromEntries(METRICS.map(metric => [metric, number])),
          },
          confidence: number,
          label: number,
        },
      },
    },
  },
});

const row = ({ measure, before, after, difference, low, high, differs }: Comparison): string[] => {
  const digits = measure === 'brier' ? 4 : 1;
  const signed = (value: number): string => `${value > 0 ? '+' : ''}${value.toFixed(digits)}`;
  return [
    measure === 'brier' ? 'Brier, all' : heading(measure),
    before.toFixed(digits),
    after.toFixed(digits),
    signed(difference),
    `${signed(low)} to ${signed(high)}`,
    differs ? 'yes' : 'no',
  ];
};

const compareFiles = (): void => {
  const { values, positionals } = parsedBy(() =>
    parseArgs({ allowPositionals: true, options: { help: { type: 'boolean', default: false } } }),
  );
  if (values.help) {
    console.log(HELP);
    return;
  }
  const [first, second, ...more] = positionals;
  if (!first || !second || more.length > 0) throw usageError('two reports are needed');
  const before = readReport(first, checkReport);
  const after = readReport(second, checkReport);
  const { pairs, alone } = pair(before, after);
  if (alone > 0)
    throw failure(
      EXIT.failure,
      `${first} and ${second} are reports of different questions: ${alone} are in one of them alone`,
    );
  const about = ({ data, mode, model, measuredOn, questions }: Report): string =>
    [data, mode, ...(model ? [model] : []), measuredOn, `${questions.length} questions`].join(', ');
  console.log(`before: ${about(before)}\nafter:  ${about(after)}\n`);
  console.log(
    table(
      ['', 'before', 'after', 'difference', '95 % interval', '0 is outside'],
      compare(pairs).map(row),
    ).join('\n'),
  );
};

await runCommand('evaluate:compare', compareFiles);
