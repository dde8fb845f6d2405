/** The thread of a consumer of the log beside the projector. */
import { dirname, join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { unavailable } from '../../../core/errors.ts';
import { lowerPriority } from '../../../core/threads/low-priority.ts';
import { openDiskRoom } from '../../../infra/embedded/disk-room.ts';
import { openLogInThread } from '../../../infra/embedded/log/open-in-thread.ts';
import { openStepFile } from '../../../infra/embedded/step-file.ts';
import { openChatCompletions } from '../../../infra/llm/chat-completions.ts';
import { openEmbeddings } from '../../../infra/llm/embeddings.ts';
import { startConsumer } from '../../workers/consumer.ts';
import { consumersOf } from '../../workers/consumers.ts';
import { guardSteps } from '../../workers/deadly-steps.ts';
import type { Report } from '../../workers/report.ts';
import { makePace } from './replay/shared-load.ts';
import type { ConsumerData } from './thread-data.ts';

const { name, paths, writer, load, config, clockOffset, threadDied } = workerData as ConsumerData;
// No caller waits for this thread, so it runs at low priority: on few cores three busy threads would make
// every request wait.
lowerPriority();

const report = (message: Report): void => parentPort!.postMessage(message);

const { log, keys, decode, close: closeLog } = openLogInThread({ paths, writer });

const steps = openStepFile(join(dirname(paths.log), `${name}-step`));

// An extractor could fill the disk as well: it waits, as for any fault of the log.
const room = openDiskRoom(dirname(paths.log), config.diskReserveMb * 1024 * 1024);
const append: typeof log.append = async (records, commit) => {
  const shortage = records.length > 0 ? room.shortage() : undefined;
  if (shortage !== undefined) throw unavailable(shortage);
  return log.append(records, commit);
};

const definition = consumersOf(config).find(one => one.name === name)!;
const consumer = await startConsumer(definition, {
  log: { ...log, append },
  keys,
  decode,
  openChat: openChatCompletions,
  openEmbeddings,
  clock: () => Date.now() + clockOffset,
  pace: makePace(load),
  guard: guardSteps(steps, threadDied),
  report,
});

parentPort!.on('message', async message => {
  if (message !== 'close') return;
  await consumer.close();
  await closeLog();
  steps.close();
  parentPort!.close();
});
report({ kind: 'ready', positions: await log.committed(definition.group) });
