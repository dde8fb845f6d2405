import type { Readiness } from '../../schemas/http/service.ts';
import type { Watch } from '../ports/engines.ts';
import { within } from '../timing/within.ts';
import type { UseCases } from '../use-cases.ts';
import { STATE_MS, sharedFor } from './shared.ts';

/** The longest wait for one engine's answer. */
const ANSWER_WITHIN_MS = 3_000;

const ask = async (probe: () => Promise<string>): Promise<{ ok: boolean; detail: string }> => {
  try {
    return { ok: true, detail: await within(ANSWER_WITHIN_MS, probe(), () => new Error('does not answer')) };
  } catch (error) {
    return { ok: false, detail: error instanceof Error ? error.message : 'does not answer' };
  }
};

export interface ReadinessPorts extends Pick<Watch, 'probes' | 'needed'> {
  /** Whether the process is about to stop: it answers calls for a moment, and wants no new ones. */
  isStopping: () => boolean;
}

/**
 * `GET /readyz`: the state of each engine by name. The engines are asked a few times a second, however many
 * ask us. The process is ready while those that it needs for anything answer; any other that doesn't is named
 * in `degraded`.
 */
export const makeReadiness = ({ probes, needed, isStopping }: ReadinessPorts): UseCases['ready'] => {
  const statesOf = sharedFor(STATE_MS, async () => {
    const states = await Promise.all(Object.values(probes).map(ask));
    return Object.fromEntries(Object.keys(probes).map((name, i) => [name, states[i]!]));
  });
  return async (): Promise<Readiness> => {
    const states = await statesOf();
    const engines = isStopping() ? { ...states, process: { ok: false, detail: 'is stopping' } } : states;
    const degraded = Object.keys(states).filter(name => !states[name]!.ok);
    const ready = !isStopping() && degraded.every(name => !needed.includes(name));
    return { ready, degraded, engines };
  };
};
