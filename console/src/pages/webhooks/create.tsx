import { type FormEvent, useEffect, useRef, useState } from 'react';
import type { WebhookEvent } from '../../../../schemas/webhooks.ts';
import type { Me, NewWebhook } from '../../api/types.ts';
import { createWebhook } from '../../api/webhooks.ts';
import { ErrorNotice } from '../../parts/frame/notices.tsx';
import { may } from '../../parts/unless.tsx';
import { EVENT_NAMES, EVENTS } from './words.ts';

const Events = ({
  me,
  chosen,
  onChange,
}: {
  me: Me;
  chosen: readonly WebhookEvent[];
  onChange: (events: readonly WebhookEvent[]) => void;
}) => (
  <fieldset>
    <legend>Events</legend>
    {EVENT_NAMES.map(event => {
      const { words, needs } = EVENTS[event];
      const isOffered = may(me, needs);
      return (
        <label key={event}>
          <input
            type="checkbox"
            disabled={!isOffered}
            checked={chosen.includes(event)}
            onChange={({ target }) =>
              onChange(target.checked ? [...chosen, event] : chosen.filter(one => one !== event))
            }
          />
          <code>{event}</code>{' '}
          <span className="muted">
            {words}
            {!isOffered && `; this key lacks ${needs}`}
          </span>
        </label>
      );
    })}
  </fieldset>
);

/** Shows the form for a new webhook. Only a key that may name any user chooses whom it is for. */
export const CreateWebhook = ({
  me,
  focused,
  onCreated,
}: {
  me: Me;
  /** Whether it replaces an element that had the focus. */
  focused: boolean;
  onCreated: (webhook: NewWebhook) => void;
}) => {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (focused) field.current?.focus();
  }, [focused]);
  const [url, setUrl] = useState('');
  const [events, setEvents] = useState<readonly WebhookEvent[]>([]);
  const [user, setUser] = useState('');
  const [busy, setBusy] = useState(false);
  const [faults, setFaults] = useState<{ url?: string; events?: string }>({});
  const [error, setError] = useState<unknown>();
  const namesAny = me.roles.includes('*') && !me.strict;

  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (busy) return;
    setError(undefined);
    const found = {
      ...(URL.canParse(url.trim())
        ? {}
        : { url: 'A webhook needs an address, such as https://example.com/.' }),
      ...(events.length > 0 ? {} : { events: 'A webhook needs an event.' }),
    };
    setFaults(found);
    if (found.url) field.current?.focus();
    if (found.url || found.events) return;
    setBusy(true);
    try {
      // Ids are not trimmed.
      const named = user === '' ? {} : { user_id: user };
      onCreated(await createWebhook({ url: url.trim(), events: [...events], ...named }));
    } catch (refused) {
      setError(refused);
      setBusy(false);
    }
  };

  return (
    <form className="card create" onSubmit={submit} noValidate aria-labelledby="create-webhook">
      <h2 id="create-webhook">Create a webhook</h2>
      <div className="fields">
        <div className="field">
          <label htmlFor="webhook-url">
            Address <span className="muted">https, on the Internet</span>
          </label>
          <input
            ref={field}
            id="webhook-url"
            type="url"
            autoComplete="off"
            maxLength={2_048}
            value={url}
            onChange={event => setUrl(event.target.value)}
            aria-invalid={faults.url !== undefined}
            aria-describedby="webhook-fault"
          />
        </div>
        {namesAny && (
          <div className="field">
            <label htmlFor="webhook-user">
              User <span className="muted">empty: the whole organization</span>
            </label>
            <input
              id="webhook-user"
              type="text"
              autoComplete="off"
              value={user}
              onChange={event => setUser(event.target.value)}
            />
          </div>
        )}
      </div>
      <Events me={me} chosen={events} onChange={setEvents} />
      <p className="fault" id="webhook-fault" role="alert">
        {[faults.url, faults.events].filter(Boolean).join(' ')}
      </p>
      {error !== undefined && <ErrorNotice error={error} />}
      <button type="submit" className="primary" aria-disabled={busy}>
        {busy ? 'Creating …' : 'Create'}
      </button>
    </form>
  );
};
