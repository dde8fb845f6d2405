/** Titles and corrections of names in an export, as far as what they were made of is still there. */

import type { Listing } from '../../../core/ports.ts';
import { makeLivingParts, namesSaidIn } from '../../../domain/facts/names/living-names.ts';
import { entityId } from '../../../domain/identity/identity.ts';
import type { EntityCorrected, SessionTitled } from '../../../schemas/events/curation/correction.ts';

export interface LivingPorts {
  listing: Pick<Listing, 'sessions' | 'entitiesById'>;
}

const isOfType = (line: string, type: string): boolean => line.startsWith(`{"type":"${type}"`);

/**
 * Returns a function that leaves out titles that are no longer shown, since another one followed, a turn was
 * hidden or all of the session has expired, and names that no turn says any more.
 */
export const makeLivingLines = ({ listing }: LivingPorts, org: string) => {
  /** By user: corrections come in the order of the log. */
  const partsOf = new Map<string, ReturnType<typeof makeLivingParts>>();

  const isShown = async ({ user_id: user, session_id: session, title }: SessionTitled): Promise<boolean> => {
    const [found] = await listing.sessions({ org, user, session }, undefined, 1);
    return title !== null && found?.said.title?.value === title;
  };

  const livingNames = async ({ user_id: user, ...said }: EntityCorrected) => {
    const ids = namesSaidIn(said).map(name => entityId(org, user, name));
    const found = ids.length === 0 ? [] : await listing.entitiesById({ org, user }, [...new Set(ids)]);
    const living = partsOf.get(user) ?? makeLivingParts();
    partsOf.set(user, living);
    const part = living(said, new Set(found.map(({ normalised }) => normalised)));
    return part && { user_id: user, ...part };
  };

  const livingLine = async (line: string): Promise<string[]> => {
    if (isOfType(line, 'session.titled')) {
      const { data } = JSON.parse(line) as { data: SessionTitled };
      return (await isShown(data)) ? [line] : [];
    }
    if (isOfType(line, 'entity.corrected')) {
      const event = JSON.parse(line) as { data: EntityCorrected };
      const data = await livingNames(event.data);
      return data ? [JSON.stringify({ ...event, data })] : [];
    }
    return [line];
  };

  return async (lines: readonly string[]): Promise<string[]> => {
    const living: string[] = [];
    for (const line of lines) living.push(...(await livingLine(line)));
    return living;
  };
};
