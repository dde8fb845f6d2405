import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { unavailable } from '../../core/errors.ts';
import type { IngestAnswer } from '../../schemas/http/ingestion.ts';
import { describeInBothModes } from '../support/engines/both-modes.ts';
import { engineEnvironment } from '../support/engines/engines.ts';
import { type Cluster, makeCluster } from '../support/processes/cluster.ts';
import { serveInProcess } from '../support/processes/in-process.ts';
import { temporaryFolder } from '../support/processes/server.ts';
import { pause } from '../support/wait.ts';
import { unansweredCalls } from './unanswered.ts';

describeInBothModes('unanswered', {
  embedded: () => {
    describe('calls without an answer', () => {
      unansweredCalls(async () => ({
        environment: {
          TURNSTONE_DATA_DIR: temporaryFolder(),
          TURNSTONE_QUOTA_TOKENS_IN: '0',
          TURNSTONE_QUOTA_TOKENS_OUT: '0',
        },
      }));
    });
  },
  cluster: () => {
    let cluster: Cluster;
    beforeAll(async () => {
      cluster = await makeCluster(engineEnvironment());
    });
    afterAll(() => cluster?.close());

    unansweredCalls(async () => ({ environment: cluster.environment, apiKey: cluster.apiKey }));

    it('gives a retry the options of the first attempt, when the end of its append is unknown', async () => {
      let isLost = true;
      const service = await serveInProcess({
        // Without a projector nothing but the claim knows of the first attempt.
        environment: { ...cluster.environment, TURNSTONE_ROLE: 'api' },
        apiKey: cluster.apiKey,
        changed: ({ log }) => ({
          log: {
            ...log,
            append: async (...appended) => {
              const addresses = await log.append(...appended);
              if (isLost) throw unavailable('the acknowledgement was lost');
              return addresses;
            },
          },
        }),
      });
      try {
        const body = {
          scope: { org_id: 'acme', user_id: 'ada', session_id: 'lost' },
          turns: [{ role: 'user', text: 'I sold the violin.', timestamp: new Date().toISOString() }],
        };
        const write = (options: object) =>
          service.client.request<IngestAnswer>('POST', '/ingestion/memory', { ...body, options });
        expect((await write({ write_passive: false })).status).toBe(503);
        isLost = false;
        let retry = await write({ write_active: false });
        for (let tries = 0; retry.status === 503 && tries < 5; tries++) {
          await pause(500);
          retry = await write({ write_active: false });
        }
        expect(retry.status).toBe(202);
        expect(retry.body.active_fragment_ids).toHaveLength(1);
        expect(retry.body.passive_job_id).toBeNull();
      } finally {
        await service.close();
      }
    });
  },
});
