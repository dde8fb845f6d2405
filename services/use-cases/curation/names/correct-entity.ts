import { ServiceError } from '../../../../core/errors.ts';
import type { ListedEntity, Listing, NameCorrection, TurnDetails } from '../../../../core/ports.ts';
import { boundSession, ownScope, readScope } from '../../../../core/scope.ts';
import type { BudgetedContext, NamedOfUser, Principal } from '../../../../core/use-cases.ts';
import type { SaidOfNames } from '../../../../domain/facts/names/names.ts';
import type { EntityCorrected } from '../../../../schemas/events/curation/correction.ts';
import type { EntityItem } from '../../../../schemas/http/items.ts';
import type { CorrectEntity } from '../../../../schemas/http/names.ts';
import { entityItem } from '../../lists/entities.ts';
import { type ReadNames, readNames } from '../../lists/read-names.ts';
import { type AppendPorts, makeAppendCorrection } from './append-correction.ts';
import { sessionSplitOf, splitNames, splitSessions } from './split-sessions.ts';

export interface CorrectEntityPorts extends AppendPorts {
  listing: Pick<Listing, 'entities' | 'entitiesById' | 'naming'>;
  details: Pick<TurnDetails, 'nameCorrections'>;
}

/** Names that a correction tells apart on each side, the most mentioned first: a person has a few. */
const MOST_NAMES = 64;

interface OfUser {
  org: string;
  user: string;
}

/** The names of a user, and what was corrected so far. */
interface Known {
  scope: OfUser;
  names: ReadNames;
  corrections: readonly NameCorrection[];
}

/**
 * read names → check → append → wait for the read models → read names. What already holds is not appended
 * again.
 */
export const makeCorrectEntity = (ports: CorrectEntityPorts) => {
  const { listing, details } = ports;
  const append = makeAppendCorrection(ports);

  const read = async (scope: OfUser): Promise<Known> => {
    const corrections = await details.nameCorrections(scope);
    return { scope, names: await readNames(listing, scope, corrections), corrections };
  };
  /** Beyond the persons that are read, too. */
  const find = async ({ scope, names }: Known, id: string): Promise<ListedEntity | undefined> =>
    [...names.entities.values()].find(one => one.id === id) ?? (await listing.entitiesById(scope, [id]))[0];

  return async (
    principal: Principal,
    { id, user_id }: NamedOfUser,
    asked: CorrectEntity,
    context: BudgetedContext,
  ): Promise<EntityItem> => {
    // An entity's name is shown in all of the user's sessions.
    if (boundSession(principal) !== undefined)
      throw new ServiceError(
        'forbidden',
        "A key that is strict for a session can't correct the user's names.",
      );
    const { org, user } = ownScope(principal, { user_id }, readScope(principal, { user_id }));
    const scope = { org, user };
    const known = await read(scope);
    const entity = await find(known, id);
    if (!entity) throw new ServiceError('not_found', 'There is no such entity.');
    const said = await correctionOf(listing, known, entity, asked, one => find(known, one));
    const after = known.corrections.at(-1)?.recordedAt;
    if (said)
      await append(
        {
          type: 'entity.corrected',
          ...scope,
          data: { user_id: user, ...said } satisfies EntityCorrected,
          after,
        },
        context,
      );
    const now = said ? await read(scope) : known;
    const shown = personOf(now, entity);
    return entityItem(listing, scope, shown, now.names);
  };
};

const invalid = (loc: (string | number)[], type: string, message: string): ServiceError =>
  new ServiceError('invalid', 'The request breaks a rule.', {
    details: { errors: [{ loc, type, message }] },
  });

/** The entity that a name stands for. */
const personOf = ({ names }: Known, one: ListedEntity): ListedEntity =>
  names.entities.get(names.standing.get(one.normalised)?.key ?? one.normalised) ?? one;

/** All names of an entity, the most mentioned first, its own before them. */
const namesOf = ({ names }: Known, person: ListedEntity): ListedEntity[] => [
  person,
  ...[...names.entities.values()]
    .filter(one => names.standing.get(one.normalised)?.key === person.normalised && one !== person)
    .filter(one => one.normalised !== person.normalised)
    .sort((a, b) => b.turns - a.turns),
];

const labels = (entities: readonly ListedEntity[]): string[] =>
  entities.slice(0, MOST_NAMES).map(({ label }) => label);

/** The correction to record; undefined where it already holds. */
const correctionOf = async (
  listing: Pick<Listing, 'entitiesById'>,
  known: Known,
  entity: ListedEntity,
  { label: given, merge_into, split = [] }: CorrectEntity,
  find: (id: string) => Promise<ListedEntity | undefined>,
): Promise<SaidOfNames | undefined> => {
  const person = personOf(known, entity);
  const label = given ?? null;
  const none: Omit<SaidOfNames, 'entity'> = {
    label: null,
    merge_into: null,
    split: [],
    names: [],
    into_names: [],
  };
  const isShown = label === null || label === shownAs(known, person);
  if (merge_into !== undefined) {
    if (merge_into === entity.id)
      throw invalid(['body', 'merge_into'], 'contradiction', 'must be another entity');
    const into = await find(merge_into);
    if (!into)
      throw invalid(['body', 'merge_into'], 'unknown', "must be an id of one of the user's entities");
    const merged = mergeOf(known, { entity, person, into });
    if (!merged && isShown) return undefined;
    return { ...none, ...(merged ?? { entity: person.label }), label };
  }
  if (split.length > 0) {
    const apart =
      splitSessions(split).length > 0
        ? await sessionSplitOf(listing, known, namesOf(known, person).slice(0, MOST_NAMES), split)
        : await splitOf(known, { entity, person, split: splitNames(split) }, find);
    if (!apart && isShown) return undefined;
    return { ...none, ...(apart ?? { entity: person.label }), label };
  }
  return isShown ? undefined : { ...none, entity: person.label, label };
};

const shownAs = ({ names }: Known, { normalised, label }: ListedEntity): string =>
  names.standing.get(normalised)?.label ?? label;

/**
 * Makes one of two entities a name of the other. With two names of one entity, it sets which one is listed,
 * and keeps them together whatever the rules decide later.
 */
const mergeOf = (
  known: Known,
  { entity, person, into }: { entity: ListedEntity; person: ListedEntity; into: ListedEntity },
): Pick<SaidOfNames, 'entity' | 'merge_into' | 'names' | 'into_names'> | undefined => {
  const target = personOf(known, into);
  if (target.normalised !== person.normalised)
    return {
      entity: person.label,
      merge_into: target.label,
      names: labels(namesOf(known, person)),
      into_names: labels(namesOf(known, target)),
    };
  const { names } = known;
  const isSaid = names.said(entity.normalised, into.normalised) === 'one';
  if (isSaid && target.normalised === into.normalised) return undefined;
  return {
    entity: entity.label,
    merge_into: into.label,
    names: [entity.label],
    into_names: [into.label],
  };
};

const splitOf = async (
  known: Known,
  { entity, person, split }: { entity: ListedEntity; person: ListedEntity; split: readonly string[] },
  find: (id: string) => Promise<ListedEntity | undefined>,
): Promise<Pick<SaidOfNames, 'entity' | 'split' | 'names'> | undefined> => {
  const { names } = known;
  const all = namesOf(known, person);
  const apart: ListedEntity[] = [];
  const errors: { loc: (string | number)[]; type: string; message: string }[] = [];
  for (const [at, id] of split.entries()) {
    const one = await find(id);
    const isName = one && one.normalised !== entity.normalised && all.some(name => name.id === id);
    if (isName) apart.push(one);
    // It may be the same call once more.
    else if (!one || names.said(one.normalised, entity.normalised) !== 'apart')
      errors.push({
        loc: ['body', 'split', at],
        type: 'unknown',
        message: 'must be the id of another name of this entity',
      });
  }
  if (errors.length > 0)
    throw new ServiceError('invalid', 'The request breaks a rule.', { details: { errors } });
  if (apart.length === 0) return undefined;
  const rest = all.filter(one => !apart.includes(one));
  // The label given with a split goes to the entity that stays.
  const stays = apart.includes(person) ? entity : person;
  return { entity: stays.label, split: labels(apart), names: labels(rest) };
};
