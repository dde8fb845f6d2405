import type { ReactNode } from 'react';
import type { ApiKey, Me } from '../../api/types.ts';
import { may } from '../../parts/unless.tsx';
import { date, dateTime } from '../../words/numbers.ts';

const Detail = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);

/** An identity's entry has no roles: they come with each sign-in. */
const rolesInWords = (roles: ApiKey['roles']): string =>
  roles.length === 0
    ? 'an identity: those of each sign-in'
    : roles.map(role => (role === '*' ? 'all (*)' : role)).join(', ');

const endInWords = (end: string | null): string => (end === null ? 'never' : `${dateTime(end)} UTC`);
const isOver = (end: string | null): boolean => end !== null && Date.parse(end) <= Date.now();

/** Whether the service would rotate it: no identity, not expired, no role that the caller lacks. */
const isRotatable = ({ roles, expires_at }: ApiKey, me: Me): boolean =>
  roles.length > 0 && !isOver(expires_at) && roles.every(role => may(me, role));

/** Shows a key. `usage`: its tokens in the current month. */
export const KeyRow = ({
  apiKey,
  me,
  usage,
  onRotate,
  onRevoke,
}: {
  apiKey: ApiKey;
  me: Me;
  usage: string | undefined;
  onRotate: () => void;
  onRevoke: () => void;
}) => {
  const { name, prefix, roles, user_id, session_id, strict, created_at, last_used_at } = apiKey;
  const { expires_at, addresses } = apiKey;
  return (
    <li className="card key">
      <div>
        <h3>
          <bdi>{name}</bdi>
        </h3>
        <p>
          <code>{prefix}…</code>
        </p>
      </div>
      <dl>
        <Detail name="Roles">{rolesInWords(roles)}</Detail>
        <Detail name="User">
          <bdi>{user_id}</bdi>
          {session_id !== null && (
            <>
              {' / '}
              <bdi>{session_id}</bdi>
            </>
          )}
          {strict && <span className="muted"> (strict)</span>}
        </Detail>
        <Detail name="Created">{date(created_at)}</Detail>
        <Detail name={isOver(expires_at) ? 'Expired' : 'Expires'}>{endInWords(expires_at)}</Detail>
        {addresses !== null && <Detail name="Works from">{addresses.join(', ')}</Detail>}
        <Detail name="Last used">{endInWords(last_used_at)}</Detail>
        {usage !== undefined && (
          <Detail name={may(me, '*') ? 'Tokens this month' : `Tokens this month, of ${me.user_id}`}>
            {usage}
          </Detail>
        )}
      </dl>
      <div className="tools">
        {isRotatable(apiKey, me) && (
          <button type="button" onClick={onRotate} aria-label={`Rotate ${name} (${prefix}…)`}>
            Rotate
          </button>
        )}
        <button
          type="button"
          className="danger"
          onClick={onRevoke}
          aria-label={`Revoke ${name} (${prefix}…)`}
        >
          Revoke
        </button>
      </div>
    </li>
  );
};
