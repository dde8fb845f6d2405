import { useRef, useState } from 'react';
import { apiKeys } from '../../api/calls.ts';
import type { ApiKey, Me } from '../../api/types.ts';
import { useLoad } from '../../api/use-load.ts';
import { ErrorNotice, Loading } from '../../parts/frame/notices.tsx';
import { Page } from '../../parts/frame/page.tsx';
import { Unless } from '../../parts/unless.tsx';
import { CreateKey } from './create.tsx';
import { type CreatedKey, NewKey } from './new-key.tsx';
import { RevokeKey } from './revoke.tsx';
import { RotateKey } from './rotate.tsx';
import { KeyRow } from './row.tsx';
import { useKeyUsage } from './usage.ts';
import './keys.css';

const OwnKeys = ({ me }: { me: Me }) => {
  const keys = useLoad('keys', apiKeys);
  const heading = useRef<HTMLHeadingElement>(null);
  const [created, setCreated] = useState<CreatedKey>();
  const [copied, setCopied] = useState(false);
  const [rotating, setRotating] = useState<ApiKey>();
  const [revoking, setRevoking] = useState<ApiKey>();
  const [revoked, setRevoked] = useState<string>();
  const usage = useKeyUsage(me);
  const { value, reload } = keys;

  const endRevoking = (key: ApiKey, isDone: boolean): void => {
    setRevoking(undefined);
    if (!isDone) return;
    setRevoked(key.name);
    if (created?.key.id === key.id) setCreated(undefined);
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
            if (created.graceSeconds === 0) reload();
          }}
        />
      ) : (
        <CreateKey
          me={me}
          focused={copied}
          onCreated={key => {
            setCreated({ key });
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
        {usage.error !== undefined && <ErrorNotice error={usage.error} retry={usage.reload} />}
        <ul className="keys">
          {value?.map(key => (
            <KeyRow
              key={key.id}
              apiKey={key}
              me={me}
              usage={usage.of(key.id)}
              onRotate={() => setRotating(key)}
              onRevoke={() => setRevoking(key)}
            />
          ))}
        </ul>
      </section>
      {rotating && (
        <RotateKey
          apiKey={rotating}
          onDone={made => {
            setRotating(undefined);
            if (!made) return;
            setCreated(made);
            setCopied(false);
            setRevoked(undefined);
            // A key that rotates itself at once ends this session with the next call: its secret comes first.
            if (made.graceSeconds !== 0) reload();
          }}
        />
      )}
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
