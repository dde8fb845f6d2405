import { describe, expect, test } from 'vitest';
import { checkIngest } from '../../../../../schemas/http/ingestion.ts';
import { metadataFault } from '../../../../../schemas/http/queries/metadata.ts';

const nested = (depth: number): object =>
  JSON.parse(`{"a":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`);
const sized = (bytes: number): object => ({ a: 'x'.repeat(bytes - '{"a":""}'.length) });

describe('metadata', () => {
  test.each([
    ['nothing', {}],
    ['16 KiB', sized(16_384)],
    ['1,000 levels', nested(1_000)],
    ['names like those of Object', JSON.parse('{"__proto__":{"a":1},"constructor":null}')],
    ['a NUL', { a: '\u0000' }],
  ])('%s is taken', (_what, metadata) => expect(metadataFault(metadata)).toBeUndefined());

  test.each([
    ['a byte over 16 KiB', sized(16_385), 'too_long'],
    ['16 KiB in UTF-8 that are less in characters', { a: 'é'.repeat(8_192) }, 'too_long'],
    ['a million of members', { a: Array(1_000_000).fill(0) }, 'too_long'],
    ['1,001 levels', nested(1_001), 'too_deep'],
    ['a million of levels', nested(1_000_000), 'too_deep'],
    ['a lone surrogate', { a: { b: ['\udfff'] } }, 'not_unicode'],
    ['a lone surrogate in a name', { a: { '\ud800': 1 } }, 'not_unicode'],
    ['a number that is none', JSON.parse('{"a":1e400}'), 'out_of_range'],
  ])('%s is refused', (_what, metadata, fault) => {
    expect(metadataFault(metadata)).toBe(fault);
    const body = {
      scope: { org_id: 'a' },
      turns: [{ role: 'a', text: 'b', timestamp: '2026-01-31T10:00:00Z' }],
      metadata,
    };
    expect(checkIngest(body)).toMatchObject({
      ok: false,
      status: 422,
      errors: [{ loc: ['body', 'metadata'], type: fault }],
    });
  });
});
