import type { TurnDetails } from '../../../../core/ports.ts';
import type { Elasticsearch } from '../elasticsearch-client.ts';
import { organizationRouting } from '../scope-clauses.ts';
import { RECORDED, type Searches } from './list-searches.ts';

/** A missing document has no source; a missing index is an error. */
interface JobAnswer {
  status?: number;
  error?: { type?: string };
  _source?: { kind: string; org: string; user: string; session: string; turns: string[]; passive: boolean };
}

export const jobIn =
  (elasticsearch: Elasticsearch, alias: string): TurnDetails['job'] =>
  async (org, id) => {
    const routing = organizationRouting(org);
    const path = `/${alias}/_doc/${encodeURIComponent(id)}`;
    const answer = await elasticsearch.ask<JobAnswer>('GET', path, { query: { routing }, accepted: [404] });
    elasticsearch.check(answer);
    const { _source: source } = answer;
    if (source?.kind !== 'job' || source.org !== org) return undefined;
    const { user, session, turns, passive } = source;
    return { id, org, user, session, turnIds: turns, passive };
  };

/** Jobs per read. The first one is usually right: only a partial append is repeated after other writes. */
const JOBS_AT_ONCE = 5;

/**
 * Finds a turn's job. A write's event precedes its turns in their partition: the job is the last one before
 * the turn that names it.
 */
export const jobOfTurnIn =
  ({ list, search }: Searches): TurnDetails['jobOfTurn'] =>
  async (org, user, turnId) => {
    const address = ['session_key', 'partition', 'offset', 'index'];
    const [turn] = await list({ org, user }, [RECORDED, { term: { id: turnId } }], ['id'], address);
    if (!turn) return undefined;
    const [session, partition, offset, index] = address.map(name => Number(turn[name]?.[0] ?? 0));
    type Answer = { hits: { hits: { _id: string; _source: { turns: string[] }; sort: number[] }[] } };
    // In a record of several events, the job's event is the first.
    for (let before = offset! + (index! > 0 ? 1 : 0); ; ) {
      const ofSession = [{ term: { session_key: session } }, { term: { partition } }];
      const { hits } = await search<Answer>(
        { org },
        [{ term: { kind: 'job' } }, ...ofSession, { range: { offset: { lt: before } } }],
        { _source: ['turns'], size: JOBS_AT_ONCE, sort: [{ offset: 'desc' }] },
      );
      const found = hits.hits.find(({ _source }) => _source.turns.includes(turnId));
      if (found || hits.hits.length < JOBS_AT_ONCE) return found?._id;
      before = hits.hits.at(-1)!.sort[0]!;
    }
  };
