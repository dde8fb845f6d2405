/** Measures resident memory and time to ready on a large store, from a fresh start. */

import { type Conversation, question, seededRandom } from '../load/conversation.ts';
import { openConnection, request } from '../load/load-connection.ts';
import { residentBytes } from '../load/process.ts';
import { startFloor, startService } from '../load/service.ts';
import { openStore, TURNS_OF_A_SCOPE, userOf } from '../store.ts';

type Resident = { now: number; most: number } | undefined;

export interface MemoryFigures {
  turns: number;
  /** Milliseconds from the start of the process until it reports that it is ready. */
  readyMs: number;
  afterLoad: Resident;
  afterStart: Resident;
  afterRecalls: Resident;
  floorReadyMs: number;
  floor: Resident;
}

export const measureMemory = async (options: {
  store: string;
  turns: number;
  count: number;
  conversation: Conversation;
  say: (line: string) => void;
}): Promise<MemoryFigures> => {
  const { turns, count, conversation, say } = options;
  const floor = await startFloor();
  const floorFigures = { floorReadyMs: floor.readyMs, floor: residentBytes(floor.pid) };
  await floor.stop();

  const store = await openStore(options.store, turns, conversation, say);
  const copy = store.copy();
  try {
    const server = await startService({ dataDir: copy.dataDir });
    try {
      const afterStart = residentBytes(server.pid);
      const connection = await openConnection(server.url);
      const random = seededRandom(turns);
      for (let i = 0; i < count; i++) {
        const user = userOf(Math.floor(random() * (turns / TURNS_OF_A_SCOPE)));
        const body = JSON.stringify({ scope: { org_id: 'local', user_id: user }, q: question(random) });
        await connection.send(request('POST', '/recall', server.token, body));
      }
      connection.close();
      return {
        turns,
        readyMs: server.readyMs,
        afterLoad: store.manifest.resident,
        afterStart,
        afterRecalls: residentBytes(server.pid),
        ...floorFigures,
      };
    } finally {
      await server.stop();
    }
  } finally {
    copy.drop();
  }
};
