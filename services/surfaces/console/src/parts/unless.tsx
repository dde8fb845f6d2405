import type { ReactNode } from 'react';
import type { Role } from '../../../../../schemas/http/account-requests.ts';
import type { Me } from '../api/types.ts';

export const may = ({ roles }: Me, role: Role): boolean => roles.includes('*') || roles.includes(role);

/** What a key may not do, told once and calmly in place of what would be refused. */
export const Unless = ({
  me,
  needs,
  what,
  children,
}: {
  me: Me;
  needs: Role;
  /** This key can't … */
  what: string;
  children: ReactNode;
}) =>
  may(me, needs) ? (
    children
  ) : (
    <p className="muted">
      This key can't {what}; it needs the role <code>{needs}</code>.
    </p>
  );
