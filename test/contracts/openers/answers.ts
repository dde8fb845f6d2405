/** All that a recall index says of a scope, to be compared with another's: without numbers of its own. */
import { expect } from 'vitest';
import type { Enrichment, Scope, TailTurn } from '../../../core/ports.ts';
import type { Query } from '../../../domain/language/language.ts';
import { language } from './embedded.ts';
import type { RecallIndex } from './projections.ts';

export interface Answers {
  candidates: {
    id: string;
    text: string;
    kind: string;
    role: string;
    timestamp: number;
    neighbours: (number | null)[];
  }[];
  statistics: object;
  observations: unknown[];
  entities: unknown[];
  enrichment: Enrichment;
}

export const queryOf = (q: string): Query => language().analyseQuery(q, []);

/** `turnIds`: the turns whose observations, entities and enrichment are asked for. */
export const answersOf = async (
  index: RecallIndex,
  scope: Scope,
  q: string,
  turnIds: readonly string[],
  tail: readonly TailTurn[] = [],
): Promise<Answers> => {
  const query = queryOf(q);
  const { candidates, statistics, snapshot } = await index.retrieve(scope, () => query, tail);
  const keys = candidates.map(({ key }) => key);
  const around = await index.surround(snapshot, keys);
  const fragments = await index.fragments(snapshot, keys);
  const sessions = new Map(
    candidates.map(({ key, session: number }) => {
      const { user, session } = fragments.get(key)!;
      return [`${user}/${session}`, number];
    }),
  );
  const entities = await index.entitiesOf(scope, turnIds);
  const enrichment = await index.enrichment(scope.org, turnIds);
  expect(await index.isQueued(scope.org, turnIds)).toBe(enrichment.queued > 0);
  return {
    candidates: candidates
      .map(({ key, neighbours: _, session: __, document, ...rest }) => {
        const { key: ___, isWaiting: ____, ...stored } = fragments.get(key)!;
        const neighbours = around.get(key)?.map(neighbour => neighbour?.timestamp ?? null) ?? [];
        return { ...rest, ...stored, neighbours, stems: [...document.stems] };
      })
      .sort((a, b) => (a.id < b.id ? -1 : 1)),
    statistics: {
      turns: statistics.turns,
      meanLength: statistics.meanLength,
      sessions: statistics.sessions,
      meanSessionLength: statistics.meanSessionLength,
      turnsWith: query.terms.map(({ stem }) => statistics.turnsWith(stem)),
      sessionsWith: [...query.stems].map(stem => statistics.sessionsWith(stem)),
      bySession: Object.fromEntries(
        [...sessions].map(([name, session]) => {
          const { length, counts } = statistics.session(session);
          return [name, { length, counts: Array.from(counts) }];
        }),
      ),
      speakers: [...statistics.speakers].sort(),
    },
    observations: (await index.observationsOf(scope, turnIds))
      .map(({ key: _, ...rest }) => rest)
      .sort((a, b) => (a.id < b.id ? -1 : 1)),
    entities: entities
      .map(entity => ({ ...entity, turnIds: [...entity.turnIds].sort() }))
      .sort((a, b) => (a.id < b.id ? -1 : 1)),
    enrichment,
  };
};

/** Whether a turn is in a scope of its organization, as plainly as it can be said. */
export const inScope = (turn: TailTurn, { user, session, since, until }: Scope): boolean =>
  (user === undefined || turn.user === user) &&
  (session === undefined || turn.session === session) &&
  turn.timestamp >= (since ?? 0) &&
  turn.timestamp <= (until ?? Infinity);
