import { useRef, useState } from 'react';
import { apiKeys } from '../../api/calls.ts';
import type { ApiKey, Me, NewApiKey } from '../../api/types.ts';
import { useLoad } from '../../api/use-load.ts';
import { ErrorNotice, Loading } from '../../parts/frame/notices.tsx';
import { Page } from '../../parts/frame/page.tsx';
import { Unless } from '../../parts/unless.tsx';
import { date, dateTime } from '../../words/numbers.ts';
import { CreateKey } from './create.tsx';
import { NewKey } from './new-key.tsx';
import { RevokeKey } from './revoke.tsx';
import './keys.css';

const Row = ({ apiKey, onRevoke }: { apiKey: ApiKey; onRevoke: () => void }) => {
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
        <div>
          <dt>Roles</dt>
          <dd>{roles.map(role => (role === '*' ? 'all (*)' : role)).join(', ')}</dd>
        </div>
        <div>
          <dt>User</dt>
          <dd>
            <bdi>{user_id}</bdi>
            {session_id !== null && (
              <>
                {' / '}
                <bdi>{session_id}</bdi>
              </>
            )}
            {strict && <span className="muted"> (strict)</span>}
          </dd>
        </div>
        <div>
          <dt>Created</dt>
          <dd>{date(created_at)}</dd>
        </div>
        <div>
          <dt>Expires</dt>
          <dd>{expires_at === null ? 'never' : `${dateTime(expires_at)} UTC`}</dd>
        </div>
        {addresses !== null && (
          <div>
            <dt>Works from</dt>
            <dd>{addresses.join(', ')}</dd>
          </div>
        )}
        <div>
          <dt>Last used</dt>
          <dd>{last_used_at === null ? 'never' : `${dateTime(last_used_at)} UTC`}</dd>
        </div>
      </dl>
      <button type="button" className="danger" onClick={onRevoke} aria-label={`Revoke ${name} (${prefix}…)`}>
        Revoke
      </button>
    </li>
  );
};

const OwnKeys = ({ me }: { me: Me }) => {
  const keys = useLoad('keys', apiKeys);
  const heading = useRef<HTMLHeadingElement>(null);
  const [created, setCreated] = useState<NewApiKey>();
  const [copied, setCopied] = useState(false);
  const [revoking, setRevoking] = useState<ApiKey>();
  const [revoked, setRevoked] = useState<string>();
  const { value, reload } = keys;

  const endRevoking = (key: ApiKey, isDone: boolean): void => {
    setRevoking(undefined);
    if (!isDone) return;
    setRevoked(key.name);
    if (created?.id === key.id) setCreated(undefined);
    // The focused button is removed together with its key.
    heading.current?.focus();
    reload();
  };

  return (
    <>
      {created ? (
        <NewKey
          created={created}
          onDone={() => {
            setCreated(undefined);
            setCopied(true);
          }}
        />
      ) : (
        <CreateKey
          me={me}
          focused={copied}
          onCreated={key => {
            setCreated(key);
            setCopied(false);
            setRevoked(undefined);
            reload();
          }}
        />
      )}
      <p role="status" className={revoked === undefined ? 'hidden' : 'notice'}>
        {revoked !== undefined && (
          <span>
            <bdi>{revoked}</bdi> was revoked.
          </span>
        )}
      </p>
      <section aria-labelledby="keys-of">
        <h2 id="keys-of" ref={heading} tabIndex={-1}>
          Keys of {me.roles.includes('*') ? me.org_id : me.user_id}
        </h2>
        {keys.state === 'failed' && <ErrorNotice error={keys.error} retry={reload} />}
        {keys.state === 'loading' && !value && <Loading what="the keys" />}
        <ul className="keys">
          {value?.map(key => (
            <Row key={key.id} apiKey={key} onRevoke={() => setRevoking(key)} />
          ))}
        </ul>
      </section>
      {revoking && <RevokeKey apiKey={revoking} onDone={isDone => endRevoking(revoking, isDone)} />}
    </>
  );
};

export const Keys = ({ me }: { me: Me }) => (
  <Page
    title="Keys"
    lead={
      <p>
        Programs sign in with keys. A key's roles define what it may do. Its user and session are those of
        calls that name none; a strict key can't leave them.
      </p>
    }
  >
    <Unless me={me} needs="keys:manage" what="see or create keys">
      <OwnKeys me={me} />
    </Unless>
  </Page>
);
