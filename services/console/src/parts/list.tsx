import type { ReactNode } from 'react';
import { ErrorNotice, Loading } from './notices.tsx';

/** What stands below a list that comes page by page. */
export const MoreOfList = ({
  what,
  loading,
  more,
  error,
  next,
}: {
  what: string;
  loading: boolean;
  more: boolean;
  error: unknown;
  next: () => void;
}): ReactNode => {
  if (error !== undefined) return <ErrorNotice error={error} retry={next} />;
  if (loading) return <Loading what={what} />;
  return (
    more && (
      <button type="button" onClick={next}>
        More {what}
      </button>
    )
  );
};
