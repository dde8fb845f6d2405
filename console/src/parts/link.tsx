import type { ReactElement, ReactNode } from 'react';
import { Link as Routed } from 'wouter';

interface LinkProps {
  /** The path below `/console`. */
  href: string;
  className?: string;
  /** Kept in the history entry that it opens. */
  state?: object;
  'aria-current'?: 'page' | undefined;
  'aria-label'?: string | undefined;
  children: ReactNode;
}

/** Links between pages. The router's type requires one element, but text and several elements work too. */
export const Link = ({ children, ...props }: LinkProps) => (
  <Routed {...props}>{children as ReactElement}</Routed>
);
