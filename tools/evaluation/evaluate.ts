/**
 * `npm run evaluate -- PATH`: measures evidence recall and confidence through the HTTP API. See
 * docs/guides/evaluation.md.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import { makeLanguage } from '../../domain/language/language.ts';
import { EXIT, failure } from '../../services/surfaces/client/exit.ts';
import { printable } from '../../services/surfaces/client/terminal.ts';
import { connect } from './client.ts';
import { parsedBy, runCommand, usageError } from './command.ts';
import { readDataset } from './datasets/read-dataset.ts';
import { measureAbsence } from './measure/absence.ts';
import { bm25Baseline } from './measure/bm25-baseline.ts';
import { type Baseline, MODES, measure, TOP_K } from './measure/measure.ts';
import { startOwnServer } from './own-server.ts';
import { plot } from './report/plot.ts';
import { makeReport } from './report/report.ts';
import { reportText } from './report/report-text.ts';

const HELP = `npm run evaluate -- PATH [options]

PATH is a file or a folder with conversations and questions: JSON Lines, or LoCoMo, QMSum, FriendsQA, BEAM or RealMem as
they are published (docs/guides/evaluation.md).
Without --base-url it starts a service of its own, with an empty data folder that goes when it ends.

  --mode MODE        active or deep (active)
  --passages         long hits as the part that matters: the same hits, in fewer tokens
  --embeddings-model NAME
                     asks by this model's vectors, one of those that the service is configured with (the one that serves)
  --in-flight N      questions asked at a time, 1 to 64 (1)
  --drop-evidence N  loads each conversation N times more, 1 to 10, each time without the evidence of some questions, and
                     asks these again: confidence should be low
  --unanswerable S   share of questions without an answer that calibration is judged by then, 0 to 1 (0.2)
  --title TEXT       what the report calls the data (the name of PATH)
  --json OUT         writes the report with a row a question
  --svg OUT          draws recall by category and the reliability of confidence
  --base-url URL     a service that runs; what is asked and stored there is billed
  --api-key KEY      its key; default: TURNSTONE_API_KEY
  --user-prefix P    before the names of the user partitions, so that runs on one service don't mix`;

const STATIC_VECTORS = new URL('../../domain/language/vectors/static-vectors.bin', import.meta.url);

const parsedOptions = () =>
  parsedBy(() =>
    parseArgs({
      allowPositionals: true,
      options: {
        mode: { type: 'string', default: 'active' },
        passages: { type: 'boolean', default: false },
        'embeddings-model': { type: 'string' },
        'in-flight': { type: 'string', default: '1' },
        'drop-evidence': { type: 'string', default: '0' },
        unanswerable: { type: 'string', default: '0.2' },
        title: { type: 'string' },
        json: { type: 'string' },
        svg: { type: 'string' },
        'base-url': { type: 'string' },
        'api-key': { type: 'string' },
        'user-prefix': { type: 'string', default: '' },
        help: { type: 'boolean', default: false },
      },
    }),
  );

const readOptions = ({ values, positionals }: ReturnType<typeof parsedOptions>) => {
  const [path, ...more] = positionals;
  if (!path || more.length > 0) throw usageError('one PATH is needed');
  const mode = MODES.find(name => name === values.mode);
  if (!mode) throw usageError('--mode must be active or deep');
  const inFlight = Number(values['in-flight']);
  if (!Number.isInteger(inFlight) || inFlight < 1 || inFlight > 64)
    throw usageError('--in-flight must be a whole number from 1 to 64');
  const copies = Number(values['drop-evidence']);
  if (!Number.isInteger(copies) || copies < 0 || copies > 10)
    throw usageError('--drop-evidence must be a whole number from 1 to 10');
  const share = Number(values.unanswerable);
  if (!(share >= 0 && share <= 1)) throw usageError('--unanswerable must be a number from 0 to 1');
  const baseUrl = values['base-url']?.replace(/\/$/, '');
  const apiKey = values['api-key'] ?? process.env.TURNSTONE_API_KEY;
  if (baseUrl !== undefined && !/^https?:$/.test(URL.parse(baseUrl)?.protocol ?? ''))
    throw usageError('--base-url must be an http or https URL');
  if (baseUrl !== undefined && !apiKey) throw usageError('--base-url needs --api-key or TURNSTONE_API_KEY');
  const service = baseUrl !== undefined && apiKey ? { baseUrl, apiKey } : undefined;
  const { passages, 'embeddings-model': model, 'user-prefix': userPrefix } = values;
  const title = values.title ?? `${basename(path)}${passages ? ' (passages)' : ''}`;
  return { path, title, mode, passages, model, inFlight, copies, share, service, userPrefix };
};

const write = (file: string | undefined, text: () => string): void => {
  if (file === undefined) return;
  try {
    writeFileSync(file, text());
  } catch (error) {
    throw failure(EXIT.failure, `can't write ${file}: ${(error as NodeJS.ErrnoException).code}`, error);
  }
};

const evaluate = async (): Promise<void> => {
  const parsed = parsedOptions();
  if (parsed.values.help) return console.log(HELP);
  const { path, title, mode, passages, model, inFlight, copies, share, service, userPrefix } =
    readOptions(parsed);
  const dataset = readDataset(path);
  const language = makeLanguage(readFileSync(STATIC_VECTORS));
  const own = service ? undefined : await startOwnServer();
  try {
    const { baseUrl, apiKey } = service ?? own!;
    const onConversation = (id: string, turns: number, questions: number): void =>
      console.error(`${printable(id)}: ${turns} turns, ${questions} questions so far`);
    const client = await connect(baseUrl, apiKey);
    const asking = { mode, userPrefix, inFlight };
    const baseline: Baseline = conversation => bm25Baseline(language, conversation, TOP_K);
    const rows = await measure(client, dataset, { ...asking, passages, model, baseline, onConversation });
    const absent =
      copies === 0
        ? []
        : await measureAbsence(client, dataset, copies, {
            ...asking,
            onConversation: (id, questions) =>
              console.error(`${printable(id)}: ${questions} questions without their evidence so far`),
          });
    const measuredOn = new Date().toISOString().slice(0, 10);
    const about = { data: basename(path), title, mode, ...(model && { model }), measuredOn, inFlight };
    const report = makeReport(dataset, rows, about, { absent, copies, share });
    console.log(reportText(report));
    write(parsed.values.json, () => `${JSON.stringify(report, null, 2)}\n`);
    write(parsed.values.svg, () => plot(report));
  } finally {
    await own?.stop();
  }
};

await runCommand('evaluate', evaluate);
