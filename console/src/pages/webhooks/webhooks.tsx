import { useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { useSearch } from 'wouter/use-browser-location';
import type { Me, NewWebhook, Webhook } from '../../api/types.ts';
import { useLoad } from '../../api/use-load.ts';
import { deleteWebhook, resumeWebhook, webhooks } from '../../api/webhooks.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { ErrorNotice, Loading } from '../../parts/frame/notices.tsx';
import { Page } from '../../parts/frame/page.tsx';
import { Refresh } from '../../parts/frame/refresh.tsx';
import { NewSecret } from '../../parts/new-secret.tsx';
import { Unless } from '../../parts/unless.tsx';
import { CreateWebhook } from './create.tsx';
import { Deliveries } from './deliveries.tsx';
import { WebhookRow } from './row.tsx';
import './webhooks.css';

const DeleteWebhook = ({ webhook, onDone }: { webhook: Webhook; onDone: (isDone: boolean) => void }) => (
  <Confirm
    title="Delete the webhook?"
    verb="Delete"
    busyVerb="Deleting"
    act={() => deleteWebhook(webhook.id)}
    onDone={onDone}
  >
    <p className="address">
      Nothing is sent to <bdi>{webhook.url}</bdi> any more, and its secret is forgotten; a message that is
      under way may still arrive. This can't be undone.
    </p>
  </Confirm>
);

const List = ({
  me,
  loaded,
  open,
  onDeleted,
}: {
  me: Me;
  loaded: ReturnType<typeof useLoad<Webhook[]>>;
  /** Id of the webhook whose deliveries are shown; empty for none. */
  open: string;
  onDeleted: (webhook: Webhook) => void;
}) => {
  const { value, reload } = loaded;
  const heading = useRef<HTMLHeadingElement>(null);
  const [deleting, setDeleting] = useState<Webhook>();
  const [resuming, setResuming] = useState<string>();
  const [told, setTold] = useState<string>();
  const [error, setError] = useState<unknown>();

  const resume = async ({ id, url }: Webhook): Promise<void> => {
    setResuming(id);
    setError(undefined);
    try {
      await resumeWebhook(id);
      setTold(`${url} was resumed: it goes on from where it stopped.`);
      // The focused button may be removed.
      heading.current?.focus();
      reload();
    } catch (refused) {
      setError(refused);
    }
    setResuming(undefined);
  };
  const endDeleting = (webhook: Webhook, isDone: boolean): void => {
    setDeleting(undefined);
    if (!isDone) return;
    setTold(`${webhook.url} was deleted.`);
    // The focused button is removed together with its webhook.
    heading.current?.focus();
    onDeleted(webhook);
    reload();
  };

  return (
    <section aria-labelledby="webhooks-of">
      <div className="heading">
        <h2 id="webhooks-of" ref={heading} tabIndex={-1}>
          Webhooks of {me.roles.includes('*') && !me.strict ? me.org_id : me.user_id}
        </h2>
        <Refresh what="the webhooks" loading={loaded.state === 'loading'} onClick={reload} />
      </div>
      <p role="status" className={told === undefined ? 'hidden' : 'notice'}>
        {told && <bdi className="address">{told}</bdi>}
      </p>
      {error !== undefined && <ErrorNotice error={error} />}
      {loaded.state === 'failed' && <ErrorNotice error={loaded.error} retry={reload} />}
      {loaded.state === 'loading' && !value && <Loading what="the webhooks" />}
      {value?.length === 0 && <p className="muted">There is none yet.</p>}
      <ul className="keys">
        {value?.map(webhook => (
          <WebhookRow
            key={webhook.id}
            webhook={webhook}
            isOpen={webhook.id === open}
            busy={resuming === webhook.id}
            onResume={() => void resume(webhook)}
            onDelete={() => setDeleting(webhook)}
          />
        ))}
      </ul>
      {deleting && <DeleteWebhook webhook={deleting} onDone={isDone => endDeleting(deleting, isDone)} />}
    </section>
  );
};

const OwnWebhooks = ({ me }: { me: Me }) => {
  const loaded = useLoad('webhooks', webhooks);
  const [, go] = useLocation();
  const open = new URLSearchParams(useSearch()).get('deliveries') ?? '';
  const [created, setCreated] = useState<NewWebhook>();
  const [copied, setCopied] = useState(false);
  const { value, reload } = loaded;
  return (
    <>
      {created ? (
        <NewSecret
          id={created.id}
          title="The webhook was created"
          secret={created.secret}
          label="Secret of the webhook"
          onDone={() => {
            setCreated(undefined);
            setCopied(true);
          }}
        >
          <p>
            Copy its secret now: it is shown only once. By it the receiver verifies that a message is from
            here, as Standard Webhooks has it.
          </p>
        </NewSecret>
      ) : (
        <CreateWebhook
          me={me}
          focused={copied}
          onCreated={webhook => {
            setCreated(webhook);
            setCopied(false);
            reload();
          }}
        />
      )}
      <List
        me={me}
        loaded={loaded}
        open={open}
        onDeleted={({ id }) => {
          if (created?.id === id) setCreated(undefined);
          if (open === id) go('/webhooks', { replace: true });
        }}
      />
      {open !== '' && <Deliveries key={open} id={open} webhook={value?.find(({ id }) => id === open)} />}
    </>
  );
};

/** The webhooks: addresses that are called when something is stored or erased, or a cap is nearly used. */
export const Webhooks = ({ me }: { me: Me }) => (
  <Page
    title="Webhooks"
    lead={
      <p>
        The service calls an address of yours: one signed POST for each event, at least once, in order within
        a session, tried again for 24 hours. Deliveries are not billed.
      </p>
    }
  >
    <Unless me={me} needs="keys:manage" what="see or create webhooks">
      <OwnWebhooks me={me} />
    </Unless>
  </Page>
);
