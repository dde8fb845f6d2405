/**
 * `npm run evaluate:results -- REPORT.json...`: writes docs/internals/measurements/results.md from `npm run
 * evaluate`'s reports.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { makeCheck } from '../../../schemas/ajv.ts';
import { parsedBy, runCommand, usageError } from '../command.ts';
import { listOf, record, STRING } from '../formats/format.ts';
import { readReport } from './read-report.ts';
import { type Fitted, type Result, resultsPage } from './results-page.ts';

const HELP = `npm run evaluate:results -- REPORT.json... [--out FILE]

Writes a page of results from reports of \`npm run evaluate -- PATH --json OUT\`, a row each in their order.

  --out FILE  the page (docs/internals/measurements/results.md)`;

const NUMBER = { type: 'number' } as const;
/** A number, or JSON's null for NaN. */
const NUMBER_OR_NULL = { type: ['number', 'null'] } as const;
const RANGE = {
  type: ['object', 'null'],
  required: ['low', 'high'],
  properties: { low: NUMBER, high: NUMBER },
};

const checkResult = makeCheck<Result>(
  record({
    data: STRING,
    title: STRING,
    mode: { type: 'string', enum: ['active', 'deep'] },
    measuredOn: STRING,
    conversations: NUMBER,
    evidence: listOf(record({ group: STRING, kind: STRING, questions: NUMBER, allAt10: NUMBER })),
    beside: listOf(
      record({
        depth: NUMBER,
        recall: NUMBER,
        interval: RANGE,
        bm25: NUMBER,
        difference: NUMBER,
        differenceInterval: RANGE,
      }),
    ),
    answer: record({ hits: NUMBER, tokens: NUMBER, interval: RANGE }),
    confidence: record({ questions: NUMBER, baseRate: NUMBER, auroc: NUMBER_OR_NULL, ece: NUMBER }),
    absence: {
      type: ['object', 'null'],
      required: ['questions', 'copies', 'share', 'auroc', 'ece'],
      properties: { questions: NUMBER, copies: NUMBER, share: NUMBER, auroc: NUMBER_OR_NULL, ece: NUMBER },
    },
  }),
);

const root = new URL('../../../', import.meta.url);

await runCommand('evaluate:results', () => {
  const { values, positionals: files } = parsedBy(() =>
    parseArgs({
      allowPositionals: true,
      options: { out: { type: 'string' }, help: { type: 'boolean', default: false } },
    }),
  );
  if (values.help) {
    console.log(HELP);
    return;
  }
  if (files.length === 0) throw usageError('a report is needed');
  const results = files.map(file => readReport(file, checkResult));
  const fitted = JSON.parse(readFileSync(new URL('domain/ranking/weights.json', root), 'utf8')) as Fitted;
  writeFileSync(
    values.out ?? new URL('docs/internals/measurements/results.md', root),
    resultsPage(results, fitted),
  );
});
