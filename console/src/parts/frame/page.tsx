import { type ReactNode, useEffect, useRef } from 'react';

/** Whether the initial page has been shown. The browser sets its focus, this module that of later ones. */
let shownFirst = false;
/** Sign-in is also a page, and often the first one. */
export const noteShown = (): void => {
  shownFirst = true;
};

/** Shows a page: sets the tab's title, and focuses the heading after navigation. */
export const Page = ({
  title,
  part,
  lead,
  children,
  className,
}: {
  title: string;
  /** The part of the page that is shown, for the tab's title: its heading stays the same. */
  part?: string;
  lead?: ReactNode;
  children: ReactNode;
  className?: string;
}) => {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${part === undefined ? title : `${title}: ${part}`} · Turnstone`;
  }, [title, part]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another title is another page
  useEffect(() => {
    if (shownFirst) heading.current?.focus();
    noteShown();
  }, [title]);
  return (
    <div className={className ? `page ${className}` : 'page'}>
      <h1 ref={heading} tabIndex={-1}>
        {title}
      </h1>
      {lead && <div className="lead">{lead}</div>}
      {children}
    </div>
  );
};
