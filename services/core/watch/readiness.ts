import type { Engines } from '../ports/engines.ts';
import type { UseCases } from '../use-cases.ts';
import { within } from '../within.ts';
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

/** `GET /readyz`: the state of each engine by name. The engines are asked a few times a second, however many ask us. */
export const makeReadiness = ({ probes }: Pick<Engines, 'probes'>): UseCases['ready'] => {
  const answersOf = sharedFor(STATE_MS, () => Promise.all(Object.values(probes).map(ask)));
  return async () => {
    const answers = await answersOf();
    const engines = Object.fromEntries(Object.keys(probes).map((name, i) => [name, answers[i]!]));
    return { ready: answers.every(({ ok }) => ok), engines };
  };
};
