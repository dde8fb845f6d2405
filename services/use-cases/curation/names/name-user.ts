import type { BudgetedContext, Principal } from '../../../../core/use-cases.ts';
import { normaliseLabel } from '../../../../domain/extraction/names/label.ts';
import { ownNames, ownNamesSet } from '../../../../domain/facts/names/own-names.ts';
import type { EntityCorrected } from '../../../../schemas/events/curation/correction.ts';
import type { UserDetails } from '../../../../schemas/http/items.ts';
import type { NameUser } from '../../../../schemas/http/names.ts';
import { findUser, readUser, type UserPorts, userScope } from '../../lists/user.ts';
import { type AppendPorts, makeAppendCorrection } from './append-correction.ts';

export type NameUserPorts = AppendPorts & UserPorts;

/** Sets the user's own names: append → wait for the read models → read. The same names append nothing. */
export const makeNameUser = (ports: NameUserPorts) => {
  const append = makeAppendCorrection(ports);
  return async (
    principal: Principal,
    id: string,
    asked: NameUser,
    context: BudgetedContext,
  ): Promise<UserDetails> => {
    const scope = userScope(principal, id);
    const names = [...new Map(asked.names.map(name => [normaliseLabel(name), name.trim()])).values()];
    // An event needs a payer: who never said a word has no names.
    const { names: known } = await findUser(ports, scope);
    const isSet = JSON.stringify(ownNames(known)) === JSON.stringify(names);
    if (!isSet)
      await append(
        {
          type: 'entity.corrected',
          ...scope,
          data: { user_id: scope.user, ...ownNamesSet(names) } satisfies EntityCorrected,
          after: known.at(-1)?.recordedAt,
        },
        context,
      );
    return readUser(ports, scope);
  };
};
