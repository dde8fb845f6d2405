import type { Engines } from './engines.ts';
import type { UseCases } from './use-cases.ts';

/** Whoever asks whether the service is ready waits no longer than this for one engine. */
const ANSWER_WITHIN_MS = 3_000;

const inTime = async <T>(answer: Promise<T>): Promise<T> => {
  const timer = { id: undefined as NodeJS.Timeout | undefined };
  const late = new Promise<never>((_, reject) => {
    timer.id = setTimeout(() => reject(new Error('does not answer')), ANSWER_WITHIN_MS);
  });
  return Promise.race([answer, late]).finally(() => clearTimeout(timer.id));
};

const ask = async (probe: () => Promise<string>): Promise<{ ok: boolean; detail: string }> => {
  try {
    return { ok: true, detail: await inTime(probe()) };
  } catch (error) {
    return { ok: false, detail: error instanceof Error ? error.message : 'does not answer' };
  }
};

/** `GET /readyz`: each engine by name. */
export const makeReadiness =
  ({ probes }: Pick<Engines, 'probes'>): UseCases['ready'] =>
  async () => {
    const answers = await Promise.all(Object.values(probes).map(ask));
    const engines = Object.fromEntries(Object.keys(probes).map((name, i) => [name, answers[i]!]));
    return { ready: answers.every(({ ok }) => ok), engines };
  };
