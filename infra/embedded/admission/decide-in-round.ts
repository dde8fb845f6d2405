import { takeFairly } from '../../../core/fairness/take-fairly.ts';
import type { AdmitRequest } from '../../../core/ports.ts';
import { gather } from '../../../core/timing/round.ts';
import type { KnownTurns } from './known-turns.ts';

/** Claims that are decided in one step: two or three milliseconds. A single call may have more. */
const MOST_CLAIMS = 1_024;

interface Asked<Decided> {
  request: AdmitRequest;
  resolve: (decided: Decided) => void;
  reject: (error: unknown) => void;
}

/**
 * Decides the calls of one round of the event loop in one synchronous step, in the order of their arrival;
 * their claims are looked up together. A fault is that of its own call. Organizations take turns where the
 * calls have more claims than a step takes; the others are decided in the next round. Rejects with the
 * signal's reason if it is aborted by then.
 */
export const makeDecideInRound = <Decided>(
  known: Pick<KnownTurns, 'activeOf'>,
  decide: (request: AdmitRequest, activeOf: ReadonlyMap<string, boolean>) => Decided,
): ((request: AdmitRequest) => Promise<Decided>) => {
  const activeOf = (asked: readonly Asked<Decided>[]): ReadonlyMap<string, boolean> =>
    known.activeOf([...new Set(asked.flatMap(({ request }) => request.claims.map(({ id }) => id)))]);

  const decideOne = (
    one: Asked<Decided>,
    lookUp: () => ReadonlyMap<string, boolean> = () => activeOf([one]),
  ): void => {
    try {
      one.request.signal?.throwIfAborted();
      one.resolve(decide(one.request, lookUp()));
    } catch (error) {
      one.reject(error);
    }
  };

  const decideAll = (asked: Asked<Decided>[]): void => {
    const { taken, left } = takeFairly(asked, MOST_CLAIMS, ({ request: { org, claims } }) => ({
      org,
      weight: claims.length,
    }));
    for (const one of left) ask(one);
    let active: ReadonlyMap<string, boolean> | undefined;
    try {
      active = activeOf(taken);
    } catch {
      // Each call meets its own fault below.
    }
    const found = active;
    for (const one of taken) decideOne(one, found && (() => found));
  };
  const ask = gather('decide', decideAll);

  return request => new Promise((resolve, reject) => ask({ request, resolve, reject }));
};
