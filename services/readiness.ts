import type { Engines } from './embedded.ts';
import type { UseCases } from './use-cases.ts';

/** `GET /readyz`: each engine by name. */
export const makeReadiness =
  (engines: Engines): UseCases['ready'] =>
  async () => {
    const answers: Record<string, { ok: boolean; detail: string }> = {};
    const probe = async (name: string, ask: () => Promise<string>): Promise<void> => {
      try {
        answers[name] = { ok: true, detail: await ask() };
      } catch (error) {
        answers[name] = { ok: false, detail: error instanceof Error ? error.message : 'does not answer' };
      }
    };
    // An empty append goes to the writer thread and back.
    await probe('log', async () => {
      await engines.log.append([]);
      return 'answers';
    });
    await probe('projections', async () => {
      const fault = engines.projector.stopped() ?? engines.projector.troubled();
      if (fault) throw new Error(fault);
      if (!engines.isCaughtUp()) throw new Error('catching up with the log');
      return `${engines.admission.backlog()} events behind`;
    });
    await probe('recall', async () => {
      const fault = engines.searchFault();
      if (fault) throw new Error(fault);
      return 'runs';
    });
    await probe('enricher', async () => {
      const fault = engines.enricher.stopped() ?? engines.enricher.troubled();
      if (fault) throw new Error(fault);
      return 'runs';
    });
    return { ready: Object.values(answers).every(({ ok }) => ok), engines: answers };
  };
