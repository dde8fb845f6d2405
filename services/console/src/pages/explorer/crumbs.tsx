import { Link } from '../../parts/link.tsx';

const inExplorer = (names: Record<string, string>): string => `/explorer?${new URLSearchParams(names)}`;

export const userPath = (user: string): string => inExplorer({ user });
export const sessionPath = (user: string, session: string): string => inExplorer({ user, session });
export const turnPath = (user: string, session: string, turn: string): string =>
  inExplorer({ user, session, turn });

export const Crumbs = ({ user, session }: { user: string; session?: string }) => (
  <nav aria-label="Where you are">
    <ol className="crumbs">
      <li>
        <Link href="/explorer">Users</Link>
      </li>
      <li>
        {session === undefined ? (
          <span aria-current="page">{user}</span>
        ) : (
          <Link href={userPath(user)}>{user}</Link>
        )}
      </li>
      {session !== undefined && (
        <li>
          <span aria-current="page">{session}</span>
        </li>
      )}
    </ol>
  </nav>
);
