import { type ReactNode, useEffect, useRef, useState } from 'react';

/** Loads shortly before it is scrolled into sight. */
const NEAR = { rootMargin: '200px' };

/** Shows its content once it has been on the screen, so that a long list doesn't load what nobody sees. */
export const WhenSeen = ({ className, children }: { className?: string; children: () => ReactNode }) => {
  const place = useRef<HTMLSpanElement>(null);
  const [isSeen, setSeen] = useState(false);
  useEffect(() => {
    if (isSeen) return;
    const seen = new IntersectionObserver(entries => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) setSeen(true);
    }, NEAR);
    seen.observe(place.current!);
    return () => seen.disconnect();
  }, [isSeen]);
  return (
    <span ref={place} className={className}>
      {isSeen && children()}
    </span>
  );
};
