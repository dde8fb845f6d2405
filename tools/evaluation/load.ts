import { setTimeout as wait } from 'node:timers/promises';
import type { Turn as BodyTurn } from '../../schemas/http/ingestion.ts';
import { makeBatches } from '../../services/surfaces/cli/ingest/batches.ts';
import { EXIT, failure } from '../../services/surfaces/client/exit.ts';
import type { Client } from './client.ts';
import type { Conversation, Session, Unit } from './datasets/dataset.ts';

const ENRICHED_WITHIN_MS = 600_000;
const ASK_AGAIN_MS = 50;
const LOOK_AT_METRICS_MS = 500;

/** By the id of each turn, its name in evidence: its own id or that of its session. */
export type EvidenceNames = ReadonlyMap<string, string>;

export const evidenceNames = (sessions: readonly Session[], unit: Unit): EvidenceNames =>
  new Map(
    sessions.flatMap(session =>
      session.turns.map(turn => [turn.id, unit === 'turn' ? turn.id : session.id] as const),
    ),
  );

/**
 * The names by the id of the stored fragment: the same words at the same moment are one fragment of several
 * turns.
 */
export type EvidenceIds = ReadonlyMap<string, readonly string[]>;

/**
 * Waits until the turns' background processing is done: in a conversation with fewer turns than the requested
 * hits its results fill the list, and runs would measure the same data differently.
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

/** Writes a conversation's turns into a user's partition and waits until they can be recalled. */
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
    for (const { session, turns, locations } of full) {
      const scope = { org_id: client.orgId, user_id: user, session_id: session };
      // Batches know less about a turn than this dataset, which made them.
      const { job_id, active_fragment_ids } = await client.ingest({ scope, turns: turns as BodyTurn[] });
      for (const [i, fragment] of active_fragment_ids.entries())
        ids.set(fragment, [...(ids.get(fragment) ?? []), names.get(String(locations[i]))!]);
      jobs.push(job_id);
    }
  };
  for (const session of sessions)
    for (const { id, ...turn } of session.turns)
      await send(batches.add({ location: id, size: 0, session: session.id, turn }));
  await send(batches.rest());
  await enriched(client, jobs);
  return ids;
};
