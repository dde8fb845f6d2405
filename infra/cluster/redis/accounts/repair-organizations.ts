import { unavailable } from '../../../../core/errors.ts';

/** The number of documents that a repair compared with the log and replaced (in a dry run: would replace). */
export interface Repaired {
  checked: number;
  replaced: number;
  removed: number;
}

/**
 * Repairs the organizations one after the other and returns the totals. `repair` resolves to undefined if the
 * organization was written meanwhile, and is then called again.
 */
export const repairOrganizations = async (
  organizations: Iterable<string>,
  { mostRounds, giveUp }: { mostRounds: number; giveUp: string },
  repair: (org: string) => Promise<Repaired | undefined>,
): Promise<Repaired> => {
  const total = { checked: 0, replaced: 0, removed: 0 };
  for (const org of organizations) {
    let repaired: Repaired | undefined;
    for (let round = 0; repaired === undefined; round++) {
      if (round === mostRounds) throw unavailable(giveUp);
      repaired = await repair(org);
    }
    total.checked += repaired.checked;
    total.replaced += repaired.replaced;
    total.removed += repaired.removed;
  }
  return total;
};
