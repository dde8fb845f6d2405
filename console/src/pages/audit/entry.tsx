import type { AuditEntry } from '../../api/types.ts';
import { Link } from '../../parts/link.tsx';
import { sessionPath, turnOfPath, userPath } from '../../paths.ts';
import { dateTime } from '../../words/numbers.ts';
import { Stored } from '../explorer/stored.tsx';
import { actionInWords, OUTCOMES } from './actions.ts';

const Actor = ({ actor: { kind, key_id, user_id, address } }: Pick<AuditEntry, 'actor'>) => (
  <>
    {kind === 'operator'
      ? 'an operator'
      : kind === 'sign_up'
        ? 'a sign-up'
        : user_id && <Stored>{user_id}</Stored>}
    {(key_id ?? address) !== null && (
      <span className="muted">
        {' '}
        {[key_id && `key ${key_id}`, address && `from ${address}`].filter(Boolean).join(', ')}
      </span>
    )}
  </>
);

/** Returns the page of what an entry is about; undefined if it has none. */
const targetPath = ({ kind, id, user_id }: NonNullable<AuditEntry['target']>): string | undefined => {
  if (id === null) return undefined;
  if (kind === 'user') return userPath(id);
  if (user_id === null) return undefined;
  if (kind === 'session') return sessionPath(user_id, id);
  return kind === 'turn' ? turnOfPath(user_id, id) : userPath(user_id);
};

const Target = ({ target }: Pick<AuditEntry, 'target'>) => {
  if (target === null) return null;
  const { kind, id, user_id } = target;
  const path = targetPath(target);
  const label = <Stored>{id ?? ''}</Stored>;
  return (
    <>
      {kind} {id !== null && (path === undefined ? label : <Link href={path}>{label}</Link>)}
      {user_id !== null && user_id !== id && (
        <span className="muted">
          {' '}
          of <Stored>{user_id}</Stored>
        </span>
      )}
    </>
  );
};

/** One entry: who did what to what, when, and with what outcome. */
export const Entry = ({ entry }: { entry: AuditEntry }) => (
  <tr>
    <td>
      <time dateTime={entry.at} title={`Request ${entry.request_id}`}>
        {dateTime(entry.at)}
      </time>
    </td>
    <td>
      <Actor actor={entry.actor} />
    </td>
    <td>
      {actionInWords(entry.action)}{' '}
      {entry.outcome !== 'done' && (
        <span className={entry.outcome === 'refused' ? 'no-longer refused' : 'no-longer'}>
          {OUTCOMES[entry.outcome]}
        </span>
      )}
    </td>
    <td>
      <Target target={entry.target} />
    </td>
  </tr>
);
