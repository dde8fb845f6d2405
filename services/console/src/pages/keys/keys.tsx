import { useState } from 'react';
import { apiKeys } from '../../api/calls.ts';
import type { ApiKey, Me, NewApiKey } from '../../api/types.ts';
import { useLoad } from '../../api/use-load.ts';
import { ErrorNotice, Loading } from '../../parts/notices.tsx';
import { Page } from '../../parts/page.tsx';
import { date, dateTime } from '../../words/numbers.ts';
import { CreateKey } from './create.tsx';
import { NewKey } from './new-key.tsx';
import { RevokeKey } from './revoke.tsx';
import './keys.css';

const Row = ({ apiKey, onRevoke }: { apiKey: ApiKey; onRevoke: () => void }) => {
  const { name, prefix, roles, user_id, session_id, created_at, last_used_at } = apiKey;
  return (
    <li className="card key">
      <div>
        <h3>{name}</h3>
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
            {user_id}
            {session_id !== null && ` / ${session_id}`}
          </dd>
        </div>
        <div>
          <dt>Created</dt>
          <dd>{date(created_at)}</dd>
        </div>
        <div>
          <dt>Last used</dt>
          <dd>{last_used_at === null ? 'never' : `${dateTime(last_used_at)} UTC`}</dd>
        </div>
      </dl>
      <button type="button" className="danger" onClick={onRevoke} aria-label={`Revoke ${name}`}>
        Revoke
      </button>
    </li>
  );
};

export const Keys = ({ me }: { me: Me }) => {
  const keys = useLoad('keys', apiKeys);
  const [created, setCreated] = useState<NewApiKey>();
  const [revoking, setRevoking] = useState<ApiKey>();
  const [told, setTold] = useState('');
  const { value, reload } = keys;
  return (
    <Page
      title="Keys"
      lead={<p>What programs sign in with. A key belongs to one user; its roles say what it may do.</p>}
    >
      {created ? (
        <NewKey created={created} onDone={() => setCreated(undefined)} />
      ) : (
        <CreateKey
          me={me}
          onCreated={key => {
            setCreated(key);
            setTold('');
            reload();
          }}
        />
      )}
      <p role="status" className={told === '' ? 'hidden' : 'notice'}>
        {told}
      </p>
      <section aria-labelledby="keys-of">
        <h2 id="keys-of">Keys of {me.org_id}</h2>
        {keys.state === 'failed' && <ErrorNotice error={keys.error} retry={reload} />}
        {keys.state === 'loading' && !value && <Loading what="the keys" />}
        <ul className="keys">
          {value?.map(key => (
            <Row key={key.id} apiKey={key} onRevoke={() => setRevoking(key)} />
          ))}
        </ul>
      </section>
      {revoking && (
        <RevokeKey
          apiKey={revoking}
          onDone={revoked => {
            setRevoking(undefined);
            if (!revoked) return;
            setTold(`${revoking.name} is revoked.`);
            if (created?.id === revoking.id) setCreated(undefined);
            reload();
          }}
        />
      )}
    </Page>
  );
};
