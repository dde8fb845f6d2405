import { describe, expect, test } from 'vitest';
import { ApiError } from '../../../console/src/api/error.ts';
import { confidenceExplained, confidenceInWords } from '../../../console/src/words/confidence.ts';
import { errorInWords } from '../../../console/src/words/errors.ts';
import { serviceState } from '../../../console/src/words/metrics.ts';
import { monthBeside, percent, until } from '../../../console/src/words/numbers.ts';
import { confidenceInWords as inCommandLine } from '../../../services/surfaces/client/recalled.ts';

const NOW = Date.parse('2026-11-21T20:00:00Z');

describe('a confidence', () => {
  test('has the same words as on the command line', () => {
    for (let confidence = 0; confidence <= 1; confidence += 0.005)
      expect(confidenceInWords(confidence)).toBe(inCommandLine(confidence));
  });

  test('promises no more than it is', () => {
    expect(confidenceExplained(0.97)).toContain('about 97 are answered among the best 15 hits of all kinds');
    expect(confidenceExplained(0.999)).toContain('more than 99 are answered');
    expect(confidenceExplained(0.001)).toContain('less than 1 are answered');
    expect(confidenceExplained(0)).toBe('Nothing was found, so the confidence is 0.');
  });
});

describe('a refusal', () => {
  test('for a cap names it, how far it is used, and when it opens', () => {
    const details = { kind: 'tokens_out_daily', used: 5_000_001, limit: 5_000_000 };
    const told = errorInWords(new ApiError(429, 'x', { details, retryAfter: 4 * 3600 }), NOW);
    expect(told.title).toBe("Today's cap on tokens out has been reached");
    expect(told.lines[0]).toBe(
      '5,000,001 of 5,000,000 tokens have been used. The cap resets on 22 November 2026, 00:00 UTC.',
    );
    expect(told.retry).toBe(false);
  });

  test('for too many attempts says how long to wait', () => {
    const told = errorInWords(
      new ApiError(429, 'x', { details: { error: 'rate_limited' }, retryAfter: 30 }),
      NOW,
    );
    expect([told.title, told.lines]).toEqual(['Too many attempts', ['Try again in 30 s.']]);
    expect(errorInWords(new ApiError(429, 'x'), NOW).title).toBe('Too many requests');
  });

  test('of what was entered names every field as it is labelled', () => {
    const errors = [
      { loc: ['body', 'top_k'], type: 'range', message: 'must be at most 50' },
      { loc: ['body', 'scope', 'user_id'], type: 'length', message: 'must not be empty' },
      { loc: ['body', 'until'], type: 'contradiction', message: 'must not be before since' },
    ];
    expect(errorInWords(new ApiError(422, 'x', { details: { errors } }), NOW).lines).toEqual([
      'Maximum hits must be at most 50.',
      'User must not be empty.',
      'Said until must not be before “Said from”.',
    ]);
  });

  test('may be tried again where that helps, and only there', () => {
    const retries = [0, 400, 403, 404, 500, 503].map(
      status => errorInWords(new ApiError(status, 'x'), NOW).retry,
    );
    expect(retries).toEqual([true, false, false, false, true, true]);
  });
});

describe('the state of the service', () => {
  test('is read from the metrics', () => {
    const text = [
      '# HELP turnstone_projector_lag_events Events',
      'turnstone_projector_lag_events 12',
      'turnstone_enricher_lag_events NaN',
      'turnstone_dead_letters 2',
      'turnstone_dead_letters_by_reason{step="decode",reason="it said \\"no\\", {twice}"} 2',
      'turnstone_projector_stopped{reason="share"} 0',
      'turnstone_projector_stopped{reason="in_a_row"} 1',
      'process_cpu_seconds_total 3.5 1700000000',
    ].join('\n');
    expect(serviceState(text)).toEqual({
      projectorLag: 12,
      enricherLag: undefined,
      deadLetters: 2,
      deadLettersByReason: [{ step: 'decode', reason: 'it said "no", {twice}', count: 2 }],
      stoppedBy: 'in_a_row',
    });
  });

  test('is unknown, and not nought, where nothing is told', () => {
    expect(serviceState('')).toEqual({
      projectorLag: undefined,
      enricherLag: undefined,
      deadLetters: undefined,
      deadLettersByReason: [],
      stoppedBy: undefined,
    });
  });
});

test('numbers are told as they are', () => {
  expect([0, 0.00001, 0.000123, 0.0345, 0.18, 0.29, 0.996, 1, 8.88].map(percent)).toEqual([
    '0 %',
    'less than 0.01 %',
    '0.012 %',
    '3.5 %',
    '18 %',
    '29 %',
    '99 %',
    '100 %',
    '888 %',
  ]);
  expect(until('2026-11-22T00:00:00Z', NOW)).toBe('4 h 0 min');
  expect(until('2026-11-21T20:00:30Z', NOW)).toBe('1 min');
  expect(monthBeside('2026-01', -1)).toBe('2025-12');
  expect(monthBeside('2026-12', 1)).toBe('2027-01');
});
