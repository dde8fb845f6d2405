/** The feed and the export: answers that are read while they are written. */

import { guarded } from './operation.ts';
import { observationEvent, turnEvent, turnEventExample } from './parts/hits.ts';
import { filterQuery, filterQueryFaults } from './queries/filter.ts';
import { query } from './queries/query-schema.ts';
import { RIGHTS } from './rights.ts';

/** The feed itself parses `after`. */
const after = {
  type: 'string',
  description: 'The id of an event, or now for new events only. Default: from the beginning.',
} as const;

export const feedOperations = {
  feed: guarded({
    method: 'get',
    path: '/events',
    summary: 'Follow what is written',
    description:
      "Server-sent events: the stored turns and observations that the token may see, then new ones as they are written. Each session comes in order, a turn before its observations. An event's id is a position: sent as Last-Event-ID, or else as after, it resumes the stream after that event, with no gap and no repeat. The data is a TurnEvent or an ObservationEvent. The stream ends when the token expires.",
    tag: 'Memory',
    ...RIGHTS.feed,
    query: query({ after, filter: filterQuery }, { between: filterQueryFaults }),
    answer: {
      status: 200,
      description: 'A stream that stays open.',
      schema: { type: 'string' },
      contentType: 'text/event-stream',
      example: `id: WzEsWzJdLFtdXQ
event: turn
data: ${JSON.stringify(turnEventExample)}
`,
      pieces: [turnEvent, observationEvent],
    },
    statuses: [422, 429, 503],
  }),
};

export const exportOperations = {
  export: guarded({
    method: 'get',
    path: '/export',
    summary: 'Export the organization',
    description:
      'Its events as JSON Lines: a header, the events as recorded, and a last line with their number. An export without that line is incomplete. With a filter: the writes whose metadata passes, their turns and what was extracted from them, and no recalls.',
    tag: 'Memory',
    ...RIGHTS.export,
    query: query({ filter: filterQuery }, { between: filterQueryFaults }),
    answer: {
      status: 200,
      description: 'JSON Lines.',
      schema: { type: 'string' },
      contentType: 'application/x-ndjson',
      example: `{"format":"turnstone-export","version":1,"org_id":"local","exported_at":"2026-03-09T09:30:00.000Z"}
…
{"end":true,"events":18,"billed":0}
`,
    },
    statuses: [429, 503],
  }),
};
