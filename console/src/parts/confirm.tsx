import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { ApiError } from '../api/error.ts';
import { ErrorNotice } from './frame/notices.tsx';

/**
 * Asks before something is changed or removed for good; the browser's own dialog traps the focus and closes
 * on Escape.
 */
export const Confirm = ({
  title,
  verb,
  busyVerb,
  act,
  onDone,
  isGoneDone = true,
  mayAct = () => true,
  children,
}: {
  title: ReactNode;
  /** Label of the button that confirms: "Revoke". */
  verb: string;
  /** Its label during the call: "Revoking". */
  busyVerb: string;
  act: () => Promise<void>;
  /** `isDone`: whether the action was done rather than cancelled. */
  onDone: (isDone: boolean) => void;
  /** Whether a 404 is success too, since the target is gone. */
  isGoneDone?: boolean;
  /** Whether what was entered is enough to act; it shows its own fault. */
  mayAct?: () => boolean;
  /** Text about the consequences. */
  children: ReactNode;
}) => {
  const heading = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  /** Closes the dialog before it is removed, which returns the focus to the button that opened it. */
  const end = (isDone: boolean): void => {
    dialog.current?.close();
    onDone(isDone);
  };
  useEffect(() => {
    const opened = dialog.current;
    opened?.showModal();
    return () => opened?.close();
  }, []);

  const confirm = async (): Promise<void> => {
    if (busy || !mayAct()) return;
    setBusy(true);
    setError(undefined);
    try {
      await act();
      end(true);
    } catch (fault) {
      // It was removed in the meantime.
      if (isGoneDone && fault instanceof ApiError && fault.status === 404) return end(true);
      setError(fault);
      setBusy(false);
    }
  };

  return (
    <dialog
      ref={dialog}
      aria-labelledby={heading}
      onCancel={event => {
        event.preventDefault();
        end(false);
      }}
      // A running call can't be cancelled: the dialog stays to show its outcome.
      onKeyDown={event => {
        if (busy && event.key === 'Escape') event.preventDefault();
      }}
    >
      <h2 id={heading}>{title}</h2>
      {children}
      {error !== undefined && <ErrorNotice error={error} />}
      <div className="buttons">
        <button type="button" onClick={() => busy || end(false)} aria-disabled={busy}>
          Cancel
        </button>
        <button type="button" className="danger" onClick={() => void confirm()} aria-disabled={busy}>
          {busy ? `${busyVerb} …` : verb}
        </button>
      </div>
    </dialog>
  );
};
