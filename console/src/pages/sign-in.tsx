import { type FormEvent, useEffect, useRef, useState } from 'react';
import { signIn } from '../api/calls.ts';
import { ApiError } from '../api/error.ts';
import { ErrorNotice } from '../parts/frame/notices.tsx';
import { noteShown } from '../parts/frame/page.tsx';
import { ThemeToggle } from '../parts/frame/theme.tsx';
import { Mark } from '../parts/icons.tsx';
import { SignInProviders } from './sign-in-providers.tsx';
import './sign-in.css';

/** Returns the reason why a key was rejected; undefined for other errors. */
const refused = (error: unknown): string | undefined => {
  if (!(error instanceof ApiError)) return undefined;
  if (error.status === 401) return 'The service does not know this key. Did you copy all of it?';
  if (error.status === 403) return 'This key was revoked. Use another one.';
  return undefined;
};

export const SignIn = ({ ended }: { ended: string | undefined }) => {
  const field = useRef<HTMLInputElement>(null);
  const [apiKey, setApiKey] = useState('');
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  useEffect(() => {
    document.title = 'Sign in · Turnstone';
    field.current?.focus();
    noteShown();
  }, []);

  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const given = apiKey.trim();
    if (given === '') {
      field.current?.focus();
      return;
    }
    setBusy(true);
    setError(undefined);
    try {
      await signIn(given);
    } catch (fault) {
      setError(fault);
      setBusy(false);
      field.current?.select();
    }
  };

  const why = refused(error);
  return (
    <main className="sign-in" id="main">
      <div className="card">
        <h1>
          <Mark />
          Turnstone
        </h1>
        {ended && (
          <p className="notice" role="status">
            {ended}
          </p>
        )}
        <form onSubmit={submit} noValidate>
          <label htmlFor="api-key">API key</label>
          <input
            ref={field}
            id="api-key"
            type="password"
            autoComplete="off"
            spellCheck={false}
            placeholder="ts_…"
            value={apiKey}
            onChange={event => setApiKey(event.target.value)}
            aria-describedby={why ? 'why api-key-hint' : 'api-key-hint'}
            aria-invalid={why !== undefined}
          />
          {why && (
            <p className="fault" id="why" role="alert">
              {why}
            </p>
          )}
          <p className="muted" id="api-key-hint">
            The service prints a key on its first start and stores it in <code>data/api-key</code>; in cluster
            mode, <code>turnstone orgs create</code> prints one.
          </p>
          <button type="submit" className="primary" disabled={busy}>
            {busy ? 'Signing in …' : 'Sign in'}
          </button>
        </form>
        {error !== undefined && !why && <ErrorNotice error={error} />}
        <SignInProviders />
        <p className="muted">
          The key is exchanged for tokens, which only this tab keeps, until you close it or sign out.
        </p>
      </div>
      <ThemeToggle />
    </main>
  );
};
