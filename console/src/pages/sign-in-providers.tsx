import { useEffect, useState } from 'react';
import { comesFromProvider, finishSignIn, goToProvider, identityProviders } from '../api/identity.ts';
import type { IdentityProvider } from '../api/types.ts';
import { ErrorNotice } from '../parts/frame/notices.tsx';

/** A button for each identity provider of the service; nothing where there is none. */
export const SignInProviders = () => {
  const [providers, setProviders] = useState<readonly IdentityProvider[]>([]);
  const [isBack, setIsBack] = useState(comesFromProvider);
  const [error, setError] = useState<unknown>();

  useEffect(() => {
    const leaving = new AbortController();
    // A person with a key needs none of them: a fault is no reason for a notice.
    identityProviders(leaving.signal).then(setProviders, () => {});
    return () => leaving.abort();
  }, []);

  useEffect(() => {
    if (!comesFromProvider()) return;
    finishSignIn().catch(fault => {
      setError(fault);
      setIsBack(false);
    });
  }, []);

  return (
    <>
      {isBack && <p role="status">Signing in …</p>}
      {error !== undefined && <ErrorNotice error={error} />}
      {providers.map(provider => (
        <button key={provider.id} type="button" onClick={() => void goToProvider(provider).catch(setError)}>
          Sign in with {provider.name}
        </button>
      ))}
    </>
  );
};
