/**
 * Appends keys of many sessions straight to the log: each record as the service writes it, in large appends.
 */
import type { KeyObject } from 'node:crypto';
import {
  identityOf,
  makeWrappedKey,
  ownerOf,
  PARTITION,
  sessionOf,
  unwrapKey,
} from '../../../core/log/keys/key-wrapping.ts';
import type { NewRecord, SessionKey, SharedLog } from '../../../core/ports.ts';
import type { ScopeKeys } from '../../../infra/cluster/keys/fold-keys.ts';
import { keyRecord, type LoggedKey } from '../../../infra/cluster/keys/record.ts';
import type { WrittenScope } from '../load/written.ts';

/** Sessions of the user that is erased, and of each other user. */
export const SESSIONS_OF_LARGE = 70_000;
const SESSIONS_OF_USER = 100;
const APPENDED = 20_000;

export const LARGE = { org: 'acme', user: 'of-many-sessions' };

export interface MadeSession {
  scope: WrittenScope;
  key: SessionKey;
  wrapped: ScopeKeys;
}

interface User {
  org: string;
  user: string;
  sessions: number;
}

/** Yields users of these organizations in turn, until they have this many sessions together. */
function* usersOf(organizations: readonly string[], sessions: number): Generator<User> {
  const large = Math.min(SESSIONS_OF_LARGE, sessions);
  yield { ...LARGE, sessions: large };
  for (let left = sessions - large, n = 0; left > 0; left -= SESSIONS_OF_USER, n++) {
    const org = organizations[n % organizations.length]!;
    yield { org, user: `user-${n}`, sessions: Math.min(SESSIONS_OF_USER, left) };
  }
}

/** Makes a user's key and the function that makes the keys of its sessions. */
const makeUser = (installation: KeyObject, { org, user }: User) => {
  const owner = ownerOf(org, user);
  const own: LoggedKey = { ...makeWrappedKey(installation, owner, PARTITION), under: '' };
  const wrapping = unwrapKey(installation, own);
  return {
    own,
    session: (n: number): { name: string; logged: LoggedKey } => {
      const name = `session-${n}`;
      return { name, logged: { ...makeWrappedKey(wrapping, owner, sessionOf(name)), under: own.keyId } };
    },
    open: (logged: LoggedKey): SessionKey => ({
      keyId: logged.keyId,
      sealing: unwrapKey(wrapping, logged),
      identity: identityOf(wrapping, logged.keyId),
    }),
  };
};

export interface AppendedSessions {
  sessions: number;
  records: number;
  seconds: number;
  /** Sessions of the user with many. */
  large: MadeSession[];
}

export const appendSessions = async (
  log: Pick<SharedLog, 'append'>,
  installation: KeyObject,
  { organizations, sessions }: { organizations: readonly string[]; sessions: number },
): Promise<AppendedSessions> => {
  const started = performance.now();
  const large: MadeSession[] = [];
  let page: NewRecord[] = [];
  let records = 0;
  const append = async (): Promise<void> => {
    records += page.length;
    await log.append(page);
    page = [];
  };
  for (const user of usersOf(organizations, sessions)) {
    const made = makeUser(installation, user);
    page.push(keyRecord(made.own));
    for (let n = 0; n < user.sessions; n++) {
      const { name, logged } = made.session(n);
      page.push(keyRecord(logged));
      if (user.user === LARGE.user)
        large.push({
          scope: { org: user.org, user: user.user, session: name },
          key: made.open(logged),
          wrapped: { user: made.own, wrapping: made.own, session: logged },
        });
      if (page.length >= APPENDED) await append();
    }
  }
  await append();
  return { sessions, records, seconds: (performance.now() - started) / 1_000, large };
};
