import { lazy, Suspense, useMemo, useState, useSyncExternalStore } from 'react';
import { Route, Router, Switch, useLocation } from 'wouter';
import { me } from './api/calls.ts';
import { currentSession, onSession } from './api/session.ts';
import { useLoad } from './api/use-load.ts';
import { AskState, firstAsk } from './pages/ask/state.ts';
import { SignIn } from './pages/sign-in.tsx';
import { Boundary } from './parts/boundary.tsx';
import { Link } from './parts/link.tsx';
import { Empty, ErrorNotice, Loading } from './parts/notices.tsx';
import { Page } from './parts/page.tsx';
import { Shell } from './parts/shell.tsx';

// Each page comes when it is asked for: the first one is there sooner.
const Overview = lazy(async () => ({ default: (await import('./pages/overview/overview.tsx')).Overview }));
const Explorer = lazy(async () => ({ default: (await import('./pages/explorer/explorer.tsx')).Explorer }));
const Ask = lazy(async () => ({ default: (await import('./pages/ask/ask.tsx')).Ask }));
const Keys = lazy(async () => ({ default: (await import('./pages/keys/keys.tsx')).Keys }));

const SignedIn = () => {
  const who = useLoad('me', me);
  const [asked, setAsked] = useState(firstAsk);
  const ask = useMemo(() => ({ asked, setAsked }), [asked]);
  const { value } = who;
  const [path] = useLocation();
  return (
    <Shell organization={value?.org_id}>
      {who.state === 'failed' && <ErrorNotice error={who.error} retry={who.reload} />}
      {who.state === 'loading' && !value && <Loading what="your account" />}
      {value && (
        <AskState value={ask}>
          <Boundary key={path}>
            <Suspense fallback={<Loading what="the page" />}>
              <Switch>
                <Route path="/">
                  <Overview me={value} />
                </Route>
                <Route path="/explorer">
                  <Explorer me={value} />
                </Route>
                <Route path="/ask">
                  <Ask me={value} />
                </Route>
                <Route path="/keys">
                  <Keys me={value} />
                </Route>
                <Route>
                  <Page title="Not found">
                    <Empty title="The console has no such page">
                      <p>
                        <Link href="/">Go to the overview</Link>
                      </p>
                    </Empty>
                  </Page>
                </Route>
              </Switch>
            </Suspense>
          </Boundary>
        </AskState>
      )}
    </Shell>
  );
};

export const App = () => {
  const { tokens, ended } = useSyncExternalStore(onSession, currentSession);
  return <Router base="/console">{tokens ? <SignedIn /> : <SignIn ended={ended} />}</Router>;
};
