import { setTimeout as wait } from 'node:timers/promises';
import type { Turn as BodyTurn } from '../../schemas/http/ingestion.ts';
import { makeBatches } from '../../services/surfaces/cli/ingest/batches.ts';
import { EXIT, failure } from '../../services/surfaces/client/exit.ts';
import type { Client } from './client.ts';
import type { Conversation, Session, Unit } from './dataset.ts';

const ENRICHED_WITHIN_MS = 600_000;
const ASK_AGAIN_MS = 50;
const LOOK_AT_METRICS_MS = 500;

/** By the id of each turn, what evidence calls it: its own id or that of its session. */
export type EvidenceNames = ReadonlyMap<string, string>;

export const evidenceNames = (sessions: readonly Session[], unit: Unit): EvidenceNames =>
  new Map(
    sessions.flatMap(session =>
      session.turns.map(turn => [turn.id, unit === 'turn' ? turn.id : session.id] as const),
    ),
  );

/** The same by the id of the stored fragment: the same words of the same moment are one fragment of several turns. */
export type EvidenceIds = ReadonlyMap<string, readonly string[]>;

/**
 * Until what the service makes of turns in the background is there: where a conversation has fewer turns than hits are
 * asked for it fills the list, and the same data would be measured differently from run to run.
 */
const enriched = async (client: Client, jobs: readonly string[]): Promise<void> => {
  const deadline = performance.now() + ENRICHED_WITHIN_MS;
  for (const job of jobs) {
    while (await client.isQueued(job)) {
      if (performance.now() > deadline)
        throw failure(EXIT.failure, `${job} was not enriched within ten minutes`);
      await wait(ASK_AGAIN_MS);
    }
  }
  while (await client.lacksVectors()) {
    if (performance.now() > deadline)
      throw failure(EXIT.failure, 'the turns did not get their vectors within ten minutes');
    await wait(LOOK_AT_METRICS_MS);
  }
};

/** Writes a conversation's turns into a user's partition and waits until they can be asked for. */
export const load = async (
  client: Client,
  user: string,
  { sessions }: Conversation,
  names: EvidenceNames,
): Promise<EvidenceIds> => {
  const ids = new Map<string, string[]>();
  const batches = makeBatches();
  const jobs: string[] = [];
  const send = async (full: ReturnType<typeof batches.add>): Promise<void> => {
    for (const { session, turns, places } of full) {
      const scope = { org_id: client.orgId, user_id: user, session_id: session };
      // Batches know less of a turn than this dataset, which made them.
      const { job_id, active_fragment_ids } = await client.ingest({ scope, turns: turns as BodyTurn[] });
      for (const [i, fragment] of active_fragment_ids.entries())
        ids.set(fragment, [...(ids.get(fragment) ?? []), names.get(String(places[i]))!]);
      jobs.push(job_id);
    }
  };
  for (const session of sessions)
    for (const { id, ...turn } of session.turns)
      await send(batches.add({ place: id, size: 0, session: session.id, turn }));
  await send(batches.rest());
  await enriched(client, jobs);
  return ids;
};
