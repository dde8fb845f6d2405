import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import type { Admission, TurnDetails } from '../../../core/ports.ts';
import { writeScope } from '../../../core/scope.ts';
import type { CountTokens } from '../../../core/tokens/counter.ts';
import { traced } from '../../../core/tracing/spans.ts';
import type { CappedContext, Principal } from '../../../core/use-cases.ts';
import type { IngestAnswer, IngestBody } from '../../../schemas/http/ingestion.ts';
import { identify, mostTokensOf } from './identify.ts';
import { makeKnownJob } from './job.ts';
import type { makeKeep } from './keep.ts';
import type { makePaidKey, Price } from './paid-key.ts';
import { makeShown, type ShownPorts } from './shown.ts';
import type { Untitled } from './untitled.ts';

export interface IngestPorts extends ShownPorts {
  paidKey: ReturnType<typeof makePaidKey>;
  keep: ReturnType<typeof makeKeep>;
  admission: Admission;
  details: Pick<TurnDetails, 'job' | 'jobOfTurn' | 'isQueued'>;
  /** Returns the title that a write names its session with; undefined where that has one. */
  untitled: Untitled;
  countTokens: CountTokens;
}

/** identify → keep → 202. */
export const makeIngest = (ports: IngestPorts) => {
  const { paidKey, keep, admission, details, untitled, countTokens } = ports;
  const knownJob = makeKnownJob({ admission, details });
  const shownOf = makeShown(ports);
  const identifyTurns = traced('identify', identify);

  return async (principal: Principal, body: IngestBody, context: CappedContext): Promise<IngestAnswer> => {
    const scope = writeScope(principal, body.scope);
    const options = {
      write_active: body.options?.write_active ?? true,
      write_passive: body.options?.write_passive ?? true,
    };
    const signal = context.deadline?.signal;
    const count = (texts: readonly string[]) => countTokens(scope.org, texts, signal);
    const metadata = body.metadata ?? null;
    const title = await untitled(scope, body.options?.session_title);
    const beside = [...(metadata ? [JSON.stringify(metadata)] : []), ...(title === undefined ? [] : [title])];
    const metadataTokens = sum(await count(beside));
    const identified = (key: KeyObject) => identifyTurns(scope, body.turns, key, count, signal);
    const { expires_at, ttl_days } = body.options ?? {};
    const expiry = { expires_at, ttl_days };
    const price: Price = {
      expiry,
      most: () => metadataTokens + mostTokensOf(body.turns),
      count: async () => {
        const { turns } = await identified(createSecretKey(randomBytes(32)));
        return metadataTokens + sum([...turns.values()].map(({ tokens }) => tokens));
      },
    };
    const key = await paidKey(scope, price, context);
    const write = await identified(key.identity);

    const own = { scope, apiKey: principal.keyId };
    const wanted = { ...own, key, write, options, expiry, metadata, metadataTokens, title };
    const { jobId, turns, inactive, billed } = await keep(wanted, context);
    // The first write's options apply: a known turn has the fragment that it was written with, or none.
    const stored = new Map(turns.map(turn => [turn.id, turn]));
    const known = [...write.turns.keys()].filter(id => !stored.has(id) && !inactive.has(id));
    const shown = await shownOf(scope, known);
    const activeIds = write.turnIds.filter(id => stored.get(id)?.active ?? shown.has(id));
    if (turns.length === 0) {
      const job = await knownJob(scope, jobId, write.turnIds[0]!);
      return answerOf(job.id, activeIds, job.isQueued ?? options.write_passive, 0);
    }
    const isQueued = turns.some(({ passive }) => passive);
    return answerOf(jobId, activeIds, isQueued, billed);
  };
};

const sum = (counts: readonly number[]): number => counts.reduce((all, one) => all + one, 0);

const answerOf = (jobId: string, activeIds: string[], isQueued: boolean, billed: number): IngestAnswer => ({
  job_id: jobId,
  active_fragment_ids: activeIds,
  passive_job_id: isQueued ? jobId.replace(/^job_/, 'enr_') : null,
  usage: { tokens_in: billed, tokens_out: 0 },
});
