/** The enricher's thread: turns → observations and entities, as events. */
import { parentPort, workerData } from 'node:worker_threads';
import { openKeyStore } from '../../../infra/embedded/keys/key-store.ts';
import { connectWriter, openEventLog } from '../../../infra/embedded/log/event-log.ts';
import { openChatCompletions } from '../../../infra/llm/chat-completions.ts';
import { makeDecode } from '../../core/log/events.ts';
import { startEnricher } from '../../workers/enricher/enricher.ts';
import { makeExtractor } from '../../workers/enricher/make-extractor.ts';
import { makePace } from './load.ts';
import { lowerPriority } from './low-priority.ts';
import type { ThreadData, ThreadMessage } from './thread-data.ts';

const { paths, installationKey, writer: port, load, extractor, clockOffset } = workerData as ThreadData;
// Nobody waits for enrichment, so it takes the time that nothing else wants: on few cores three busy threads would make
// every request wait.
lowerPriority();

const say = (message: ThreadMessage): void => parentPort!.postMessage(message);

const writer = connectWriter(port);
const log = openEventLog(paths.log, writer);
const keys = openKeyStore(paths.keys, installationKey, writer);

const enricher = startEnricher({
  log,
  keys,
  decode: makeDecode(keys),
  extractor: makeExtractor(extractor, {
    openChat: openChatCompletions,
    onState: state => say({ kind: 'extractor', state }),
  }),
  clock: () => Date.now() + clockOffset,
  pace: makePace(load),
  onEnriched: ({ positions, turns }) => say({ kind: 'progress', positions, events: turns, deadLetters: 0 }),
  onTrouble: error =>
    say({ kind: 'trouble', message: error instanceof Error ? error.message : 'unknown fault' }),
});

parentPort!.on('message', async message => {
  if (message !== 'close') return;
  await enricher.close();
  await keys.close();
  await log.close();
  parentPort!.close();
});
say({ kind: 'ready', positions: await log.committed('enricher') });
