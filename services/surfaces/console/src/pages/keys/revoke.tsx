import { useEffect, useRef, useState } from 'react';
import { revokeApiKey } from '../../api/calls.ts';
import { ApiError } from '../../api/error.ts';
import type { ApiKey } from '../../api/types.ts';
import { ErrorNotice } from '../../parts/notices.tsx';

/** Asks for confirmation; the browser's own dialog traps the focus and closes on Escape. */
export const RevokeKey = ({ apiKey, onDone }: { apiKey: ApiKey; onDone: (revoked: boolean) => void }) => {
  const dialog = useRef<HTMLDialogElement>(null);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  /** Closes the dialog before it is removed, which returns the focus to the button that opened it. */
  const end = (revoked: boolean): void => {
    dialog.current?.close();
    onDone(revoked);
  };
  useEffect(() => {
    const opened = dialog.current;
    opened?.showModal();
    return () => opened?.close();
  }, []);

  const revoke = async (): Promise<void> => {
    if (busy) return;
    setBusy(true);
    setError(undefined);
    try {
      await revokeApiKey(apiKey.id);
      end(true);
    } catch (fault) {
      // It was revoked meanwhile, which is the desired outcome.
      if (fault instanceof ApiError && fault.status === 404) return end(true);
      setError(fault);
      setBusy(false);
    }
  };

  return (
    <dialog
      ref={dialog}
      aria-labelledby="revoke"
      onCancel={event => {
        event.preventDefault();
        end(false);
      }}
      // A running call can't be cancelled: the dialog stays to show its outcome.
      onKeyDown={event => {
        if (busy && event.key === 'Escape') event.preventDefault();
      }}
    >
      <h2 id="revoke">
        Revoke <bdi>{apiKey.name}</bdi>?
      </h2>
      <p>
        Programs that use <code>{apiKey.prefix}…</code> will be rejected within a second. This can't be
        undone. If you signed in with this key, you will be signed out too.
      </p>
      {error !== undefined && <ErrorNotice error={error} />}
      <div className="buttons">
        <button type="button" onClick={() => busy || end(false)} aria-disabled={busy}>
          Cancel
        </button>
        <button type="button" className="danger" onClick={() => void revoke()} aria-disabled={busy}>
          {busy ? 'Revoking …' : 'Revoke'}
        </button>
      </div>
    </dialog>
  );
};
