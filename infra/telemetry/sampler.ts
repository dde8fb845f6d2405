import {
  AlwaysOnSampler,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace-base';
import type { Config } from '../../schemas/config.ts';

type Name = Config['telemetry']['sampler'];

export interface Sampling {
  /** The share of the requests without a trace of their caller that begin one; the sampler takes them all. */
  share: number;
  sampler: Sampler;
}

/**
 * Returns the sampling of this standard name (OpenTelemetry's `OTEL_TRACES_SAMPLER`); undefined where nothing
 * is ever sampled. A step of a consumer begins a trace because it links to requests whose spans are exported:
 * a request without its projection tells half.
 */
export const samplingOf = (name: Name, ratio: number): Sampling | undefined => {
  const following = (share: number): Sampling => ({ share, sampler: parentBased() });
  switch (name) {
    case 'always_off':
      return undefined;
    case 'always_on':
      return { share: 1, sampler: parentBased(new AlwaysOnSampler()) };
    case 'traceidratio':
      return { share: ratio, sampler: parentBased(new TraceIdRatioBasedSampler(ratio)) };
    case 'parentbased_always_on':
      return following(1);
    case 'parentbased_always_off':
      return following(0);
    case 'parentbased_traceidratio':
      return following(ratio);
  }
};

/** Within a process a span follows its parent. `ofCallers`: what callers decided doesn't count, but this. */
const parentBased = (ofCallers?: Sampler): Sampler =>
  new ParentBasedSampler({
    root: new AlwaysOnSampler(),
    ...(ofCallers && { remoteParentSampled: ofCallers, remoteParentNotSampled: ofCallers }),
  });
