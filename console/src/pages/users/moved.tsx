import { Redirect } from 'wouter';
import { useSearch } from 'wouter/use-browser-location';
import { pathOf, type Section } from '../../paths.ts';

/** Leads an address of an earlier console to the page of today. `show`: the section that shows the same. */
export const Moved = ({ show }: { show: Section }) => {
  const search = new URLSearchParams(useSearch());
  const isUser = search.has('user') && !['session', 'turn', 'subject'].some(name => search.has(name));
  return (
    <Redirect
      to={pathOf('/users', { ...Object.fromEntries(search), show: isUser ? show : undefined })}
      replace
    />
  );
};
