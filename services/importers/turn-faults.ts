import { checkIngest } from '../../schemas/http/requests.ts';

/**
 * What the service would refuse about a turn and its scope, in its own words; empty when there is nothing. The
 * same schema as in the service, so that a file is checked before anything is sent.
 */
export const turnFaults = (turn: object, scope: { user_id?: unknown; session_id?: unknown }): string[] => {
  const checked = checkIngest({ scope: { org_id: '-', ...scope }, turns: [turn] });
  if (checked.ok) return [];
  // ["body", "turns", 0, member, …] and ["body", "scope", member]
  return checked.errors.map(
    ({ loc, message }) => `${loc.slice(loc[1] === 'turns' ? 3 : 2).join('.')} ${message}`,
  );
};
