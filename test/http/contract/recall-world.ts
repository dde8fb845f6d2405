/** Four weeks of cakes: what the suites of recall ask. */
import type { Server } from '../../support/processes/server.ts';
import { sharedServer } from '../../support/processes/shared-server.ts';
import { type Caller, finished, type Hit, type Recalled, signUp, turn } from './kit.ts';

export const day = (i: number): string => `2026-03-${String(i + 1).padStart(2, '0')}T12:00:00Z`;
const TURNS = 28;

export const count = ({ hits }: Recalled): number =>
  hits.turns.length + hits.observations.length + hits.entities.length;
export const lists = ({ hits }: Recalled): [Hit[], Hit[], { score: number }[]] => [
  hits.turns,
  hits.observations,
  hits.entities,
];

export interface RecallWorld {
  server: Server;
  owner: Caller;
  /** A caller of an organization with nothing in it. */
  empty: Caller;
}

export const openRecallWorld = async (): Promise<RecallWorld> => {
  const server = await sharedServer();
  const [owner, empty] = [await signUp(server.url), await signUp(server.url, 'empty')];
  const turns = Array.from({ length: TURNS }, (_, i) =>
    turn(`On day ${i} Martha Novak baked a walnut cake in Ljubljana.`, {
      timestamp: day(i),
      role: i % 2 ? 'Oskar' : 'user',
      observations: [`Martha's cake number ${i} had walnuts`],
    }),
  );
  const more = Array.from({ length: 30 }, (_, i) =>
    turn(`On evening ${i} the walnut cake was eaten by guest${i}.`, {
      timestamp: day(i % 28).replace('12:', '18:'),
    }),
  );
  const one = await owner.ingest({ scope: { org_id: 'x', user_id: 'u1', session_id: 'kitchen' }, turns });
  const two = await owner.ingest({
    scope: { org_id: 'x', user_id: 'u2', session_id: 'garden' },
    turns: more,
  });
  for (const { job_id } of [one, two]) await finished(owner, job_id);
  return { server, owner, empty };
};

/** Two sessions of `maria` and one of `peter`, all with the same fact. */
export const GREYHOUND = [
  ['maria', 'monday', 'I adopted a greyhound called Comet. I found him in Zürich.'],
  ['maria', 'tuesday', 'Did I say that? I adopted a greyhound called Comet! Zurich is far away.'],
  ['peter', 'monday', 'I adopted a greyhound called Comet. Nobody in Zürich wanted him.'],
] as const;

export const CAKE = 'Who baked the walnut cake in Ljubljana?';
