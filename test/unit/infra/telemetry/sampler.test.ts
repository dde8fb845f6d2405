import { ROOT_CONTEXT, SpanKind, TraceFlags, trace } from '@opentelemetry/api';
import { SamplingDecision } from '@opentelemetry/sdk-trace-base';
import { expect, it } from 'vitest';
import { samplingOf } from '../../../../infra/telemetry/sampler.ts';

/** The SDK's ratio of a quarter leaves it out. */
const TRACE = 'ffffffff000000000000000000000001';

type Name = Parameters<typeof samplingOf>[0];

const isSampled = (
  name: Name,
  ratio: number,
  parent?: { traceFlags: TraceFlags; isRemote: boolean },
): boolean => {
  const spanContext = parent && { traceId: TRACE, spanId: 'b7ad6b7169203331', ...parent };
  const from = spanContext ? trace.setSpanContext(ROOT_CONTEXT, spanContext) : ROOT_CONTEXT;
  const { sampler } = samplingOf(name, ratio)!;
  const { decision } = sampler.shouldSample(from, TRACE, 'a', SpanKind.SERVER, {}, []);
  return decision === SamplingDecision.RECORD_AND_SAMPLED;
};

const { NONE, SAMPLED } = TraceFlags;

it.each([
  ['always_on', 1, { sampled: true, others: true }],
  ['traceidratio', 0.25, { sampled: false, others: false }],
  ['parentbased_always_on', 1, { sampled: true, others: false }],
  ['parentbased_always_off', 0, { sampled: true, others: false }],
  ['parentbased_traceidratio', 0.25, { sampled: true, others: false }],
] as const)('%s begins traces for a share of %d, and of callers takes %o', (name, share, callers) => {
  expect(samplingOf(name, 0.25)!.share).toBe(share);
  expect(isSampled(name, 0.25, { traceFlags: SAMPLED, isRemote: true })).toBe(callers.sampled);
  expect(isSampled(name, 0.25, { traceFlags: NONE, isRemote: true })).toBe(callers.others);
  // One that was begun is taken, and what is below it follows.
  expect(isSampled(name, 0.25)).toBe(true);
  expect(isSampled(name, 0.25, { traceFlags: SAMPLED, isRemote: false })).toBe(true);
  expect(isSampled(name, 0.25, { traceFlags: NONE, isRemote: false })).toBe(false);
});

it('is none where everything is off', () => {
  expect(samplingOf('always_off', 1)).toBeUndefined();
});
