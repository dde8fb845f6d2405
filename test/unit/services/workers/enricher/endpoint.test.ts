import { describe, expect, it } from 'vitest';
import type { EndpointFault } from '../../../../../core/ports.ts';
import { makeEndpoint } from '../../../../../services/workers/enricher/endpoint.ts';
import { until } from '../../../../support/wait.ts';

const open = new AbortController().signal;
const FAULT: EndpointFault = { kind: 'away', reason: 'HTTP 503' };

/** An endpoint whose probes the test answers one by one; pauses are a twentieth, or what `pace` says. */
const make = (pace = 0.05) => {
  const probes: ((fault?: EndpointFault) => void)[] = [];
  const changes: (string | null)[] = [];
  const endpoint = makeEndpoint({
    probe: () => new Promise(resolve => probes.push(resolve)),
    onChange: reason => changes.push(reason),
    random: () => 1,
    pace,
  });
  return { endpoint, probes, changes };
};

describe('an endpoint', () => {
  it('is there until it was found away', async () => {
    const { endpoint, probes, changes } = make();
    await endpoint.back(open);
    const asked = endpoint.answers(open);
    probes[0]!();
    expect(await asked).toBe(true);
    expect(changes).toEqual([]);
  });

  it('is asked by one of those who wait, and all go on when it is back', async () => {
    const { endpoint, probes, changes } = make();
    endpoint.leave(FAULT);
    const waiting = Promise.all(Array.from({ length: 9 }, () => endpoint.back(open)));
    await until('it is asked', () => probes.length > 0);
    expect(probes).toHaveLength(1);
    expect(await endpoint.answers(open)).toBe(false);
    expect(probes).toHaveLength(1);
    probes[0]!();
    await waiting;
    expect(changes).toEqual(['HTTP 503', null]);
  });

  it('is away once, however many find it out together', async () => {
    // Half a second until it is probed; after sixteen faults in a row half a minute, which `until` does not
    // wait.
    const { endpoint, probes, changes } = make(0.5);
    const asked = Array.from({ length: 16 }, () => endpoint.answers(open));
    for (const answer of probes.splice(0)) answer(FAULT);
    expect(await Promise.all(asked)).toEqual(Array(16).fill(false));
    expect(changes).toEqual(['HTTP 503']);
    const waiting = endpoint.back(open);
    await until('it is asked', () => probes.length > 0);
    probes[0]!();
    await waiting;
  });

  it('is left alone as long as it asks for', async () => {
    const { endpoint, probes } = make();
    endpoint.leave({ ...FAULT, kind: 'limited', retryAfterMs: 10_000 });
    const began = performance.now();
    const waiting = endpoint.back(open);
    await until('it is asked', () => probes.length > 0);
    expect(performance.now() - began).toBeGreaterThan(480);
    probes[0]!();
    await waiting;
  });
});
