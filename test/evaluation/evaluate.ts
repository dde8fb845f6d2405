/** `npm run evaluate -- FILE`: evidence recall and confidence, through the HTTP API. See docs/evaluation.md. */
import { writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import { EXIT, failure } from '../../services/surfaces/client/exit.ts';
import { printable } from '../../services/surfaces/client/terminal.ts';
import { connect } from './client.ts';
import { parsedBy, runCommand, usageError } from './command.ts';
import { MODES, measure } from './measure.ts';
import { startOwnServer } from './own-server.ts';
import { plot } from './plot.ts';
import { readDataset } from './read-dataset.ts';
import { makeReport } from './report.ts';
import { reportText } from './report-text.ts';

const HELP = `npm run evaluate -- FILE [options]

FILE holds conversations and questions, as JSON Lines or in the LoCoMo format (docs/evaluation.md).
Without --base-url it starts a service of its own, with an empty data folder that goes when it ends.

  --mode MODE        active or deep (active)
  --in-flight N      questions asked at a time, 1 to 64 (1)
  --json OUT         writes the report with a row a question
  --svg OUT          draws recall by category and the reliability of confidence
  --base-url URL     a service that runs; what is asked and stored there is billed
  --api-key KEY      its key; default: TURNSTONE_API_KEY
  --user-prefix P    before the names of the user partitions, so that runs on one service don't mix`;

const parsedOptions = () =>
  parsedBy(() =>
    parseArgs({
      allowPositionals: true,
      options: {
        mode: { type: 'string', default: 'active' },
        'in-flight': { type: 'string', default: '1' },
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
  const [file, ...more] = positionals;
  if (!file || more.length > 0) throw usageError('one FILE is needed');
  const mode = MODES.find(name => name === values.mode);
  if (!mode) throw usageError('--mode must be active or deep');
  const inFlight = Number(values['in-flight']);
  if (!Number.isInteger(inFlight) || inFlight < 1 || inFlight > 64)
    throw usageError('--in-flight must be a whole number from 1 to 64');
  const baseUrl = values['base-url']?.replace(/\/$/, '');
  const apiKey = values['api-key'] ?? process.env.TURNSTONE_API_KEY;
  if (baseUrl !== undefined && !/^https?:$/.test(URL.parse(baseUrl)?.protocol ?? ''))
    throw usageError('--base-url must be an http or https URL');
  if (baseUrl !== undefined && !apiKey) throw usageError('--base-url needs --api-key or TURNSTONE_API_KEY');
  const service = baseUrl !== undefined && apiKey ? { baseUrl, apiKey } : undefined;
  return { file, mode, inFlight, service, userPrefix: values['user-prefix'] };
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
  const { file, mode, inFlight, service, userPrefix } = readOptions(parsed);
  const dataset = readDataset(file);
  const own = service ? undefined : await startOwnServer();
  try {
    const { baseUrl, apiKey } = service ?? own!;
    const onConversation = (id: string, turns: number, questions: number): void =>
      console.error(`${printable(id)}: ${turns} turns, ${questions} questions so far`);
    const client = await connect(baseUrl, apiKey);
    const rows = await measure(client, dataset, { mode, userPrefix, inFlight, onConversation });
    const measuredOn = new Date().toISOString().slice(0, 10);
    const report = makeReport(dataset, rows, { data: basename(file), mode, measuredOn, inFlight });
    console.log(reportText(report));
    write(parsed.values.json, () => `${JSON.stringify(report, null, 2)}\n`);
    write(parsed.values.svg, () => plot(report));
  } finally {
    await own?.stop();
  }
};

await runCommand('evaluate', evaluate);
