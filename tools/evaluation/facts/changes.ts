/**
 * `npm run evaluate:changes -- FILE`: tells values that change turn by turn, and then asks for them, over
 * HTTP. Prints only figures; with --show the ids of cases that went wrong. See README.md.
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { TurnHit } from '../../../schemas/http/parts/hits.ts';
import { pause } from '../../../test/support/wait.ts';
import { connect } from '../client.ts';
import { runCommand, usageError } from '../command.ts';
import { startOwnServer } from '../own-server.ts';

interface Case {
  id: string;
  turns: { role: string; text: string; timestamp: string }[];
  question: string;
  old: { turn: number };
  new: { turn: number };
}

interface Outcome {
  id: string;
  /** Whether the first turn of the answer says the new value. */
  isFirst: boolean;
  /** Whether it comes before the turn that says the old one, or that turn isn't a hit. */
  isBefore: boolean;
  /** Whether the old one is a hit without a note that it no longer holds. */
  isUnmarked: boolean;
}

const ENRICHED_WITHIN = 120_000;

const tellAndAsk = async (
  client: Awaited<ReturnType<typeof connect>>,
  { id, turns, question, old, new: now }: Case,
): Promise<Outcome> => {
  const scope = { org_id: client.orgId, user_id: id };
  const { job_id, active_fragment_ids: ids } = await client.ingest({ scope, turns });
  for (const end = Date.now() + ENRICHED_WITHIN; Date.now() < end && (await client.isQueued(job_id)); )
    await pause(20);
  const { hits } = await client.recall({ scope, q: question });
  const places = hits.turns.map(hit => hit.id);
  const [oldId, newId] = [ids[old.turn]!, ids[now.turn]!];
  const [oldAt, newAt] = [places.indexOf(oldId), places.indexOf(newId)];
  const oldHit = hits.turns[oldAt] as TurnHit | undefined;
  return {
    id,
    isFirst: newAt === 0,
    isBefore: newAt >= 0 && (oldAt < 0 || newAt < oldAt),
    isUnmarked: oldHit !== undefined && (oldHit.superseded_by ?? oldHit.later) === undefined,
  };
};

const percent = (some: readonly unknown[], all: readonly unknown[]): string =>
  `${((100 * some.length) / all.length).toFixed(1)} % (${some.length} of ${all.length})`;

await runCommand('evaluate:changes', async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { show: { type: 'boolean', default: false } },
  });
  const [file] = positionals;
  if (file === undefined) throw usageError('a FILE is needed');
  const cases = readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map(line => JSON.parse(line) as Case);
  const server = await startOwnServer();
  try {
    const client = await connect(server.baseUrl, server.apiKey);
    const outcomes: Outcome[] = [];
    for (const one of cases) outcomes.push(await tellAndAsk(client, one));
    const of = (which: (one: Outcome) => boolean) => percent(outcomes.filter(which), outcomes);
    console.log(`the new value first of the turns:  ${of(one => one.isFirst)}`);
    console.log(`the new value before the old one:  ${of(one => one.isBefore)}`);
    console.log(`the old one a hit without a mark:  ${of(one => one.isUnmarked)}`);
    if (values.show)
      for (const { id, isFirst, isUnmarked } of outcomes)
        if (!isFirst || isUnmarked)
          console.log(`${id}: ${isFirst ? '' : 'not first '}${isUnmarked ? 'unmarked' : ''}`);
  } finally {
    await server.stop();
  }
});
