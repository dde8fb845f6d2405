import { ServiceError } from '../../../core/errors.ts';
import { boundSession, readScope } from '../../../core/scope.ts';
import type { FeedMessage, Principal } from '../../../core/use-cases.ts';
import { conditionInQuery } from '../../../domain/filter/condition.ts';
import type { Feed } from './feed.ts';
import { follow } from './follow.ts';
import { atPositions, decodePosition, type FeedPosition, isWithin } from './position.ts';

const NOW = 'now';

export interface FollowRequest {
  /** A position or `now`; undefined starts at the beginning. */
  after: string | undefined;
  /** Where the request gave the position, for the error. */
  loc: [string, string];
  /** As in a query, validated. */
  filter?: string | undefined;
}

/** Throws `invalid` for a position that is not of this log. */
export const makeOpenFeed =
  (feed: Feed) =>
  async (
    principal: Principal,
    { after, loc, filter }: FollowRequest,
    signal: AbortSignal,
    isAllowed: () => Promise<boolean>,
  ): Promise<AsyncIterable<FeedMessage>> => {
    const { org, user } = readScope(principal, {});
    const session = boundSession(principal);
    const refuse = (type: string, message: string): ServiceError =>
      new ServiceError('invalid', 'The request breaks a rule.', {
        details: { errors: [{ loc, type, message }] },
      });
    let from: FeedPosition = {};
    if (after === NOW) from = atPositions(await feed.ends());
    else if (after !== undefined) {
      const decoded = decodePosition(after);
      if (!decoded) throw refuse('position', 'must be the id of an event of this feed, or now');
      if (!isWithin(decoded, await feed.ends()))
        throw refuse(
          'position',
          'is beyond the end of the log: it is of another installation or of a lost log',
        );
      from = decoded;
    }
    const named = await feed.namesAt(org, from);
    const scope = { org, user, session, filter: conditionInQuery(filter) };
    return follow({ feed, scope, from, named, signal, isAllowed });
  };
