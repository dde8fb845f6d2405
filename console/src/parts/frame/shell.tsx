import type { ReactNode } from 'react';
import { useLocation } from 'wouter';
import { endSession } from '../../api/session.ts';
import { Mark } from '../icons.tsx';
import { Link } from '../link.tsx';
import { ThemeToggle } from './theme.tsx';

const PAGES = [
  ['/', 'Overview'],
  ['/explorer', 'Explorer'],
  ['/facts', 'Facts'],
  ['/ask', 'Ask'],
  ['/keys', 'Keys'],
  ['/settings', 'Settings'],
] as const;

const skip = (): void => document.getElementById('main')?.focus();

/** The frame around every page. */
export const Shell = ({
  organization,
  children,
}: {
  organization: string | undefined;
  children: ReactNode;
}) => {
  const [path] = useLocation();
  return (
    <>
      <button type="button" className="skip" onClick={skip}>
        Skip to content
      </button>
      <header className="bar">
        <Link href="/" className="brand">
          <Mark />
          <span>Turnstone</span>
        </Link>
        <nav aria-label="Pages">
          <ul>
            {PAGES.map(([to, name]) => (
              <li key={to}>
                <Link href={to} aria-current={path === to ? 'page' : undefined}>
                  {name}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
        <div className="account">
          {organization && (
            <span className="organization" title="Organization">
              <span className="hidden">Organization </span>
              <bdi>{organization}</bdi>
            </span>
          )}
          <ThemeToggle />
          <button type="button" className="quiet" onClick={() => endSession()}>
            Sign out
          </button>
        </div>
      </header>
      <main id="main" tabIndex={-1}>
        {children}
      </main>
    </>
  );
};
