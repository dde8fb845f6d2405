import type { Admission, TailTurn } from '../../../core/ports.ts';
import { type Horizon, hasExpired } from '../../../domain/search/horizon.ts';

/** An organization's horizon at the moment of the call. */
export type HorizonOf = (org: string) => Promise<Horizon>;

/** Without the turns that have expired. */
export const living = (turns: readonly TailTurn[], horizon: Horizon): TailTurn[] =>
  turns.filter(
    ({ expiresAt, recordedAt = Number.POSITIVE_INFINITY }) =>
      !hasExpired(horizon, { expiresAt, kept: recordedAt }),
  );

/** Admission whose tail has nothing that has expired, as no index shows it either. */
export const withLivingTail = <Ports extends Pick<Admission, 'tail' | 'admit'>>(
  admission: Ports,
  horizonOf: HorizonOf,
): Ports => ({
  ...admission,
  tail: async scope => {
    const turns = await admission.tail(scope);
    return turns.length === 0 ? turns : living(turns, await horizonOf(scope.org));
  },
  admit: async request => {
    const admitted = await admission.admit(request);
    if (admitted.kind === 'refused' || admitted.tail.length === 0) return admitted;
    return { ...admitted, tail: living(admitted.tail, await horizonOf(request.org)) };
  },
});
