import { type ReactNode, useEffect, useRef } from 'react';

/** Whether the page that the browser loaded has been shown: its focus is the browser's, later ones' is ours. */
let shownFirst = false;
/** To sign in is a page as well, the first one often. */
export const noteShown = (): void => {
  shownFirst = true;
};

/** One page: its title in the tab, and its heading focused when somebody has come here by a link. */
export const Page = ({
  title,
  lead,
  children,
  className,
}: {
  title: string;
  lead?: ReactNode;
  children: ReactNode;
  className?: string;
}) => {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · Turnstone`;
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
