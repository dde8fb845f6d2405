/** Makes the evaluation's few calls over HTTP, as any client does; a failed one is a `Failure` for people. */
import { setTimeout as wait } from 'node:timers/promises';
import * as operations from '../../clients/typescript/src/operations.ts';
import type { IngestAnswer, IngestBody } from '../../schemas/http/ingestion.ts';
import type { RecallBody } from '../../schemas/http/recall.ts';
import { makeClient } from '../../services/surfaces/client/client.ts';
import { EXIT, failure } from '../../services/surfaces/client/exit.ts';

export interface Hit {
  id: string;
  score: number;
  text: string;
  content: string;
  /** For a long text, the part in characters of the whole. */
  part?: { from: number; to: number };
  source_turn_ids?: string[];
}

export interface Recalled {
  hits: { turns: Hit[]; observations: Hit[]; entities: { label: string; score: number }[] };
  confidence: number;
  context: string | null;
  degraded?: string[];
}

/** Milliseconds. */
const VECTOR_WITHIN = 30_000;
const ASK_AGAIN = 100;

export interface Client {
  orgId: string;
  ingest(body: IngestBody): Promise<Pick<IngestAnswer, 'job_id' | 'active_fragment_ids'>>;
  /** Whether an ingestion's turns still wait for enrichment. */
  isQueued(job: string): Promise<boolean>;
  /**
   * Whether turns still wait for vectors of an embedding model, according to the service's metrics, if
   * readable: a job doesn't report them.
   */
  lacksVectors(): Promise<boolean>;
  /**
   * Recalls. With a named model, repeats the call until the question has its vector: an answer without it
   * says nothing about the model.
   */
  recall(body: RecallBody): Promise<Recalled>;
}

export const connect = async (baseUrl: string, apiKey: string): Promise<Client> => {
  const client = makeClient({ url: baseUrl, apiKey });
  return {
    orgId: (await client.me()).org_id,
    ingest: async body => client.call(operations.ingest(body as never)),
    isQueued: async job => (await client.call(operations.job(job))).status === 'queued',
    lacksVectors: async () => {
      const metrics = await fetch(`${baseUrl}/metrics`).then(response => response.text());
      const lag = (of: string) =>
        new RegExp(`^turnstone_${of}_lag_events (\\d+)$`, 'm').exec(metrics)?.[1] ?? '0';
      // Events that the embedders append still have to be projected.
      return (
        lag('embedder') !== '0' ||
        lag('embedder_former') !== '0' ||
        (metrics.includes('turnstone_embedder') && lag('projector') !== '0')
      );
    },
    recall: async body => {
      const until = performance.now() + VECTOR_WITHIN;
      for (;;) {
        const answer = (await client.call(operations.recall(body as never))) as Recalled;
        if (body.embeddings_model === undefined || !answer.degraded?.includes('embeddings')) return answer;
        if (performance.now() > until)
          throw failure(EXIT.failure, 'a question did not get its vector within 30 s');
        await wait(ASK_AGAIN);
      }
    },
  };
};
