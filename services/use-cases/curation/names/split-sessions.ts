/** Splits two people of one name by the sessions in which one of them is meant. */
import { ServiceError } from '../../../../core/errors.ts';
import type { ListedEntity, Listing } from '../../../../core/ports.ts';
import { normaliseLabel } from '../../../../domain/extraction/names/label.ts';
import type { SaidOfNames } from '../../../../domain/facts/names/names.ts';
import { setApart } from '../../../../domain/facts/names/said-of.ts';
import type { CorrectEntity } from '../../../../schemas/http/names.ts';

type Split = NonNullable<CorrectEntity['split']>;
export type SplitSession = Exclude<Split[number], string>;

export const splitSessions = (split: Split): SplitSession[] =>
  split.filter((one): one is SplitSession => typeof one !== 'string');
export const splitNames = (split: Split): string[] => split.filter(one => typeof one === 'string');

interface Known {
  scope: { org: string; user: string };
  corrections: readonly SaidOfNames[];
}

/**
 * Returns the correction to record: in these sessions the names are somebody else's; undefined where that
 * already holds. Throws `invalid`.
 *
 * @param all names of the entity, its own first
 */
export const sessionSplitOf = async (
  listing: Pick<Listing, 'entitiesById'>,
  { scope, corrections }: Known,
  all: readonly ListedEntity[],
  split: Split,
): Promise<Pick<SaidOfNames, 'entity' | 'split' | 'names' | 'sessions'> | undefined> => {
  const sessions = splitSessions(split);
  const shown = all[0]!.label;
  const label =
    sessions.find(one => one.label !== undefined)?.label ?? `${shown} (${sessions[0]!.session_id})`;
  const errors: { loc: (string | number)[]; type: string; message: string }[] = [];
  if (all.some(({ normalised }) => normalised === normaliseLabel(label)))
    errors.push({
      loc: ['body', 'split', 0, 'label'],
      type: 'contradiction',
      message: 'must be no name of this entity',
    });
  const apart = setApart(corrections);
  const ids = all.map(({ id }) => id);
  const fresh: string[] = [];
  for (const [at, { session_id: session }] of sessions.entries()) {
    if (apart(shown, session) === label) continue;
    fresh.push(session);
    const here = await listing.entitiesById({ ...scope, session }, ids);
    if (here.length === 0)
      errors.push({
        loc: ['body', 'split', at, 'session_id'],
        type: 'unknown',
        message: 'must be a session that names this entity',
      });
  }
  if (errors.length > 0)
    throw new ServiceError('invalid', 'The request breaks a rule.', { details: { errors } });
  if (fresh.length === 0) return undefined;
  return { entity: shown, split: [label], names: all.map(one => one.label), sessions: fresh };
};
