/** The verdicts on the hits of an answer that has a receipt. */
import { useCallback, useMemo, useState } from 'react';
import { useLoad } from '../../../api/use-load.ts';
import { type GivenVerdict, receipt } from '../../../api/user-calls.ts';

export interface Verdicts {
  of: (hit: string) => GivenVerdict | undefined;
  set: (hit: string, verdict: GivenVerdict) => void;
  error: unknown;
  reload: () => void;
}

/** Reads them once from the receipt, which is not billed; what is said here is added as it is answered. */
export const useVerdicts = (id: string): Verdicts => {
  const loaded = useLoad(id, async signal => {
    const { hits } = await receipt(id, signal);
    return new Map(hits.flatMap(hit => (hit.id && hit.verdict ? [[hit.id, hit.verdict] as const] : [])));
  });
  const [said, setSaid] = useState<ReadonlyMap<string, GivenVerdict>>(new Map());
  const { value: kept, reload } = loaded;
  const set = useCallback(
    (hit: string, verdict: GivenVerdict) => setSaid(before => new Map(before).set(hit, verdict)),
    [],
  );
  const error = loaded.state === 'failed' ? loaded.error : undefined;
  return useMemo(
    () => ({ of: hit => said.get(hit) ?? kept?.get(hit), set, error, reload }),
    [said, kept, set, error, reload],
  );
};
