import { type ReactNode, useEffect, useRef } from 'react';
import { ErrorNotice, Loading } from './notices.tsx';

/** A list of links that comes page by page. Whoever asks for more goes on from the first that has come. */
export const PagedList = ({
  what,
  label,
  loading,
  more,
  error,
  next,
  children,
}: {
  what: string;
  label: string;
  loading: boolean;
  more: boolean;
  error: unknown;
  next: () => void;
  children: ReactNode[];
}) => {
  const list = useRef<HTMLUListElement>(null);
  const goOnFrom = useRef(Number.POSITIVE_INFINITY);
  const count = children.length;
  useEffect(() => {
    if (count <= goOnFrom.current) return;
    const first = list.current?.children[goOnFrom.current]?.querySelector('a');
    goOnFrom.current = Number.POSITIVE_INFINITY;
    // The button is gone, and the focus with it, unless somebody has moved it on.
    if (document.activeElement === document.body) first?.focus();
  }, [count]);
  const askForMore = (): void => {
    goOnFrom.current = count;
    next();
  };
  return (
    <>
      <ul ref={list} className="entries" aria-label={label}>
        {children}
      </ul>
      {error !== undefined && <ErrorNotice error={error} retry={askForMore} />}
      {loading && <Loading what={what} />}
      {more && !loading && error === undefined && (
        <button type="button" onClick={askForMore}>
          More {what}
        </button>
      )}
    </>
  );
};
