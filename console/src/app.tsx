import { Suspense, useEffect, useState, useSyncExternalStore } from 'react';
import { Route, Router, Switch, useLocation } from 'wouter';
import { me } from './api/calls.ts';
import { currentSession, onSession } from './api/session.ts';
import { useLoad } from './api/use-load.ts';
import { AskState, useAsking } from './pages/ask/asking.ts';
import { fetchPages, makePages } from './pages/pages.ts';
import { SignIn } from './pages/sign-in.tsx';
import { Moved } from './pages/users/moved.tsx';
import { Boundary } from './parts/frame/boundary.tsx';
import { Empty, ErrorNotice, Loading } from './parts/frame/notices.tsx';
import { Page } from './parts/frame/page.tsx';
import { Shell } from './parts/frame/shell.tsx';
import { Link } from './parts/link.tsx';

const SignedIn = () => {
  const who = useLoad('me', me);
  const asking = useAsking();
  const [{ Overview, UsersPage, Ask, Compare, Usage, Audit, Webhooks, Keys, Settings }, setPages] =
    useState(makePages);
  const { value } = who;
  const isKnown = value !== undefined;
  useEffect(() => {
    if (isKnown) fetchPages();
  }, [isKnown]);
  const [path] = useLocation();
  return (
    <Shell me={value}>
      {who.state === 'failed' && (
        <Page title="Your account">
          <ErrorNotice error={who.error} retry={who.reload} />
        </Page>
      )}
      {who.state === 'loading' && !value && <Loading what="your account" />}
      {value && (
        <AskState value={asking}>
          <Boundary key={path} onRetry={() => setPages(makePages)}>
            <Suspense fallback={<Loading what="the page" />}>
              <Switch>
                <Route path="/">
                  <Overview me={value} />
                </Route>
                <Route path="/users">
                  <UsersPage me={value} />
                </Route>
                <Route path="/explorer">
                  <Moved show="conversations" />
                </Route>
                <Route path="/facts">
                  <Moved show="known" />
                </Route>
                <Route path="/ask">
                  <Ask me={value} />
                </Route>
                <Route path="/ask/compare">
                  <Compare me={value} />
                </Route>
                <Route path="/audit">
                  <Audit me={value} />
                </Route>
                <Route path="/usage">
                  <Usage me={value} />
                </Route>
                <Route path="/webhooks">
                  <Webhooks me={value} />
                </Route>
                <Route path="/keys">
                  <Keys me={value} />
                </Route>
                <Route path="/settings">
                  <Settings me={value} />
                </Route>
                <Route>
                  <Page title="Not found">
                    <Empty title="This page does not exist">
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
