import { describe, expect, it } from 'vitest';
import { ServiceError } from '../../../../../../core/errors.ts';
import { outcomeOf } from '../../../../../../infra/cluster/elasticsearch/write/bulk-outcome.ts';

const item = (status: number, type?: string, reason?: string) => ({
  status,
  ...(type && { error: { type, ...(reason && { reason }) } }),
});

describe("a bulk item's outcome", () => {
  it.each([item(200), item(201), item(409, 'version_conflict_engine_exception')])('is stored: %j', one => {
    expect(outcomeOf(one)).toBe('stored');
  });

  it.each([
    item(400, 'document_parsing_exception', '[1:7] failed to parse field [n] of type [keyword]'),
    item(
      400,
      'document_parsing_exception',
      'The [cosine] similarity does not support vectors with zero magnitude',
    ),
    item(400, 'mapper_parsing_exception', 'failed to parse'),
  ])("is the document's fault: %j", one => {
    expect(outcomeOf(one)).toBe('refused');
  });

  // Types and reasons as Elasticsearch 8.19 gives them.
  it.each([
    [
      'a shard is full',
      item(400, 'illegal_argument_exception', "Number of documents in the index can't exceed [2147483519]"),
    ],
    [
      'a shard is full',
      item(400, 'illegal_argument_exception', 'number of documents in the index cannot exceed 2147483519'),
    ],
    ['the index is closed', item(400, 'index_closed_exception', 'closed')],
    ['the index is missing', item(404, 'index_not_found_exception', 'no such index [x]')],
    [
      'the index is blocked',
      item(403, 'cluster_block_exception', 'index [x] blocked by: [FORBIDDEN/8/index write (api)];'),
    ],
    [
      'a disk is almost full',
      item(
        429,
        'cluster_block_exception',
        'index [x] blocked by: [TOO_MANY_REQUESTS/12/disk usage exceeded flood-stage watermark, index has read-only-allow-delete block];',
      ),
    ],
    ['the mapping lacks a field', item(400, 'strict_dynamic_mapping_exception', 'mapping set to strict')],
    [
      '400, document_parsing_exception',
      item(
        400,
        'document_parsing_exception',
        '[1:9] failed to parse: Limit of total fields [4] has been exceeded',
      ),
    ],
    [
      '429, es_rejected_execution_exception',
      item(429, 'es_rejected_execution_exception', 'rejected execution'),
    ],
    ['413, content_too_long', item(413, 'content_too_long')],
    ['503, unavailable_shards_exception', item(503, 'unavailable_shards_exception')],
    ['400, what_nobody_knows_yet', item(400, 'what_nobody_knows_yet')],
    ['500, fault', item(500)],
  ])('is held, with the reason that %s', (says, one) => {
    let thrown: unknown;
    try {
      outcomeOf(one);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(ServiceError);
    expect(thrown).toMatchObject({ code: 'unavailable', message: expect.stringContaining(says) });
  });

  it("repeats nothing of the engine's reason, which may quote a document", () => {
    try {
      outcomeOf(item(400, 'illegal_argument_exception', 'the secret words'));
      expect.unreachable();
    } catch (error) {
      expect(String(error)).not.toContain('secret');
    }
  });
});
