/** Titles and corrections of names in an export, as far as what they were made of is still there. */

import type { LivingReads } from '../../../core/ports/recall/living.ts';
import { makeLivingParts, namesSaidIn } from '../../../domain/facts/names/living-names.ts';
import type { EntityCorrected, SessionTitled } from '../../../schemas/events/curation/correction.ts';

export interface LivingPorts {
  listing: LivingReads;
}

interface OfType<Data> {
  /** Its place among the lines. */
  at: number;
  event: { data: Data };
}

const ofType = <Data>(lines: readonly string[], type: string): OfType<Data>[] =>
  lines.flatMap((line, at) =>
    line.startsWith(`{"type":"${type}"`) ? [{ at, event: JSON.parse(line) as { data: Data } }] : [],
  );

const nameOf = (user: string, normalised: string): string => JSON.stringify([user, normalised]);

/**
 * Returns a function that leaves out titles that are no longer shown, since another one followed, a turn was
 * hidden or all of the session has expired, and names that no turn says any more. It reads what is shown once
 * for all lines that it gets.
 */
export const makeLivingLines = ({ listing }: LivingPorts, org: string) => {
  /** By user: corrections come in the order of the log. */
  const partsOf = new Map<string, ReturnType<typeof makeLivingParts>>();

  /** Writes '' in place of titles that aren't shown. */
  const keepTitles = async (lines: string[]): Promise<void> => {
    const titled = ofType<SessionTitled>(lines, 'session.titled');
    if (titled.length === 0) return;
    const sessions = titled.map(({ event: { data } }) => ({ user: data.user_id, session: data.session_id }));
    const shown = await listing.titles(org, sessions);
    for (const [i, { at, event }] of titled.entries())
      if (event.data.title === null || event.data.title !== shown[i]) lines[at] = '';
  };

  /** Writes the living part in place of each correction of names, or '' where nothing is left. */
  const keepNames = async (lines: string[]): Promise<void> => {
    const corrected = ofType<EntityCorrected>(lines, 'entity.corrected');
    const names = new Map<string, { user: string; normalised: string }>();
    for (const { event } of corrected) {
      const { user_id: user, ...said } = event.data;
      for (const normalised of namesSaidIn(said)) names.set(nameOf(user, normalised), { user, normalised });
    }
    const asked = [...names.values()];
    const named = asked.length === 0 ? [] : await listing.areNamed(org, asked);
    const living = Map.groupBy(
      asked.filter((_, i) => named[i]),
      ({ user }) => user,
    );
    for (const { at, event } of corrected) {
      const { user_id: user, ...said } = event.data;
      const parts = partsOf.get(user) ?? makeLivingParts();
      partsOf.set(user, parts);
      const part = parts(said, new Set(living.get(user)?.map(({ normalised }) => normalised)));
      lines[at] = part ? JSON.stringify({ ...event, data: { user_id: user, ...part } }) : '';
    }
  };

  return async (lines: readonly string[]): Promise<string[]> => {
    const left = [...lines];
    await keepTitles(left);
    await keepNames(left);
    return left.filter(line => line !== '');
  };
};
