import type { ReactNode } from 'react';
import type { Role } from '../../../schemas/http/parts/roles.ts';
import type { Me } from '../api/types.ts';

export const may = ({ roles }: Me, role: Role): boolean => roles.includes('*') || roles.includes(role);

/** Shows which role the key lacks, in place of content that would be refused. */
export const Unless = ({
  me,
  needs,
  what,
  children,
}: {
  me: Me;
  needs: Role;
  /** Completes the sentence "This key can't …". */
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
