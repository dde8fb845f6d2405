/** Sends one request of a batch until the outcome of each of its turns is known. */

import { TurnstoneError } from '../error.ts';
import type { TurnInput } from '../inputs.ts';
import type { Outcome, RememberOptions } from '../options.ts';
import { faultsOf, faultsText, listOf } from '../transport/answer.ts';
import { givenUp } from '../transport/deadline.ts';
import type { WrittenTurn } from '../transport/requests.ts';
import type { Remembered } from '../types.ts';

export interface Entry {
  turn: WrittenTurn;
  bytes: number;
  /** Unix milliseconds. */
  addedAt: number;
  settle: (outcome: Outcome) => void;
}

export type Remember = (turns: TurnInput[], options: RememberOptions) => Promise<Remembered>;

/** A refusal's errors by the turn's index in the request; undefined if it is not only about single turns. */
const refusedTurns = (
  error: TurnstoneError,
  turns: readonly unknown[],
): Map<number, TurnstoneError> | undefined => {
  if (error.code !== 'malformed' && error.code !== 'invalid') return undefined;
  const byTurn = new Map<number, ReturnType<typeof faultsOf>>();
  for (const fault of faultsOf(error.details)) {
    const [, list, index] = fault.loc;
    if (list !== 'turns' || typeof index !== 'number' || !(index in turns)) return undefined;
    byTurn.set(index, [...(byTurn.get(index) ?? []), fault]);
  }
  if (byTurn.size === 0) return undefined;
  const { code, status, requestId } = error;
  return new Map(
    [...byTurn].map(([index, faults]) => {
      const errors = faults.map(({ loc, ...rest }) => ({ ...rest, loc: ['turn', ...loc.slice(3)] }));
      const message = ['The turn was refused.', ...faultsText(errors)].join('\n  ');
      return [index, new TurnstoneError(message, { code, status, requestId, details: { errors } })];
    }),
  );
};

/** Settles entries that were not sent and never will be sent. */
export const giveUp = (entries: readonly Entry[], signal: AbortSignal): void => {
  for (const { settle } of entries) settle({ ok: false, error: givenUp(signal) });
};

/**
 * Sends entries and settles each of them, whatever happens. If some are refused, the others are sent without
 * them. A request that was sent before the signal is aborted is completed, and no other one follows it.
 */
export const sendAll = async (
  remember: Remember,
  entries: Entry[],
  options: RememberOptions,
): Promise<void> => {
  const { signal } = options;
  if (entries.length === 0) return;
  if (signal?.aborted) return giveUp(entries, signal);
  try {
    const stored = await remember(
      entries.map(({ turn }) => turn as TurnInput),
      options,
    );
    const ids = listOf(stored, 'active_fragment_ids') as string[];
    for (const [i, { settle }] of entries.entries()) settle({ ok: true, id: ids[i] });
  } catch (caught) {
    const error = caught as TurnstoneError;
    const refused = refusedTurns(error, entries);
    if (refused) {
      for (const [i, why] of refused) entries[i]!.settle({ ok: false, error: why });
      await sendAll(
        remember,
        entries.filter((_, i) => !refused.has(i)),
        options,
      );
    } else if (error.code === 'too_large' && entries.length > 1) {
      const half = Math.ceil(entries.length / 2);
      await sendAll(remember, entries.slice(0, half), options);
      await sendAll(remember, entries.slice(half), options);
    } else for (const { settle } of entries) settle({ ok: false, error });
  }
};
