import { EXIT, failure } from '../../client/exit.ts';
import { scopeFaults } from '../../importers/turn-faults.ts';

/** Rejects an invalid scope before anything is read: the service would reject every request. */
export const refuseScope = ({ user, session }: { user?: string; session?: string }): void => {
  const flags = { '--user': { user_id: user }, '--session': { session_id: session } };
  for (const [flag, scope] of Object.entries(flags)) {
    const [fault] = scopeFaults(scope);
    if (fault !== undefined) throw failure(EXIT.usage, `${flag}: ${fault}`);
  }
};
