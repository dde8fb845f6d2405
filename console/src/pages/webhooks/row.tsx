import type { Webhook } from '../../api/types.ts';
import { Link } from '../../parts/link.tsx';
import { pathOf } from '../../paths.ts';
import { date } from '../../words/numbers.ts';
import { droppedOf, troubleOf } from './words.ts';

/** Shows a webhook: its address, its events, whom it is for and how it fares. */
export const WebhookRow = ({
  webhook,
  isOpen,
  busy,
  onResume,
  onDelete,
}: {
  webhook: Webhook;
  /** Whether its deliveries are shown. */
  isOpen: boolean;
  /** Whether it is being resumed. */
  busy: boolean;
  onResume: () => void;
  onDelete: () => void;
}) => {
  const { id, url, events, user_id, key_id, created_at, state } = webhook;
  const trouble = troubleOf(webhook);
  const dropped = droppedOf(webhook);
  return (
    <li className="card webhook">
      <div className="heading">
        <h3>
          <bdi>{url}</bdi>
        </h3>
        <span className={`no-longer ${state}`}>{state}</span>
      </div>
      {trouble && <p>{trouble}</p>}
      {dropped && <p>{dropped}</p>}
      <dl>
        <div>
          <dt>Events</dt>
          <dd>{events.join(', ')}</dd>
        </div>
        <div>
          <dt>For</dt>
          <dd>{user_id === null ? 'the whole organization' : <bdi>{user_id}</bdi>}</dd>
        </div>
        <div>
          <dt>Acts for the key</dt>
          <dd>
            <code>{key_id}</code>
          </dd>
        </div>
        <div>
          <dt>Created</dt>
          <dd>{date(created_at)}</dd>
        </div>
        <div>
          <dt>Id</dt>
          <dd>
            <code>{id}</code>
          </dd>
        </div>
      </dl>
      <div className="tools">
        <Link
          href={pathOf('/webhooks', { deliveries: isOpen ? undefined : id })}
          aria-label={`${isOpen ? 'Hide the deliveries' : 'Deliveries'} of ${url}`}
        >
          {isOpen ? 'Hide the deliveries' : 'Deliveries'}
        </Link>
        {state !== 'active' && (
          <button
            type="button"
            aria-disabled={busy}
            aria-label={`${state === 'paused' ? 'Resume' : 'Try again now'}: ${url}`}
            onClick={() => busy || onResume()}
          >
            {state === 'paused' ? 'Resume' : 'Try again now'}
          </button>
        )}
        <button type="button" className="danger" aria-label={`Delete ${url}`} onClick={onDelete}>
          Delete
        </button>
      </div>
    </li>
  );
};
