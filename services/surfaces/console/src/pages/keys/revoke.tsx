import { useEffect, useRef, useState } from 'react';
import { revokeApiKey } from '../../api/calls.ts';
import { ApiError } from '../../api/error.ts';
import type { ApiKey } from '../../api/types.ts';
import { ErrorNotice } from '../../parts/notices.tsx';

/** Asks before it revokes; the browser's own dialog keeps the focus in it and closes at Escape. */
export const RevokeKey = ({ apiKey, onDone }: { apiKey: ApiKey; onDone: (revoked: boolean) => void }) => {
  const dialog = useRef<HTMLDialogElement>(null);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  /** Closed before it is taken away, the dialog gives the focus back to the button that opened it. */
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
      // Somebody else was quicker: it is as it should be.
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
      // There is no way back from a call that runs: the dialog stays to tell its end.
      onKeyDown={event => {
        if (busy && event.key === 'Escape') event.preventDefault();
      }}
    >
      <h2 id="revoke">
        Revoke <bdi>{apiKey.name}</bdi>?
      </h2>
      <p>
        Programs that use <code>{apiKey.prefix}…</code> are refused within a second. There is no way back. If
        it is the key that you signed in with, you are signed out too.
      </p>
      {error !== undefined && <ErrorNotice error={error} />}
      <div className="buttons">
        <button type="button" onClick={() => busy || end(false)} aria-disabled={busy}>
          Keep it
        </button>
        <button type="button" className="danger" onClick={() => void revoke()} aria-disabled={busy}>
          {busy ? 'Revoking …' : 'Revoke'}
        </button>
      </div>
    </dialog>
  );
};
