import type { Judgement, TurnDetails } from '../../../../core/ports.ts';
import type { SaidOfHit } from '../../../../projections/recall/recall-writes.ts';
import { columns, sessionKeyOf } from '../scope-clauses.ts';
import type { Searches } from './list-searches.ts';

/** The most that are read of one recall: a hit is seldom judged twice. */
const MOST = 1_000;

/**
 * Returns the read of what was said of a recall's hits, each in the session of its hit: of very many the
 * last. `ofAll` finds what has expired, too: no retention ends a judgement.
 */
export const judgementsIn =
  ({ search }: Pick<Searches, 'search'>): TurnDetails['judgements'] =>
  async (org, recall, sessions) => {
    if (sessions.length === 0) return [];
    type Fields = { fragment: [string]; recorded_at: [number] };
    const keys = sessions.map(({ user, session }) => sessionKeyOf(org, user, session));
    const { hits } = await search<{ hits: { hits: { fields: Fields }[] } }>(
      { org },
      [{ term: { kind: 'correction' } }, { term: { about: recall } }, { terms: { session_key: keys } }],
      {
        ...columns('fragment', 'recorded_at'),
        size: MOST,
        sort: [{ recorded_at: 'desc' }, { offset: 'desc' }, { id: 'desc' }],
      },
    );
    return hits.hits
      .map(
        ({ fields }): Judgement => ({
          ...(JSON.parse(Buffer.from(fields.fragment[0], 'base64').toString()) as SaidOfHit),
          recordedAt: fields.recorded_at[0],
        }),
      )
      .reverse();
  };
