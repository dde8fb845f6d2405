/** Keyboard navigation in the feed of a conversation. */
import type { Virtualizer } from '@tanstack/react-virtual';
import type { KeyboardEvent } from 'react';

/** The share of the screen by which a key press scrolls within a turn that is taller than it. */
const PAGE_SHARE = 0.9;

export const rowOf = (event: { target: EventTarget }): HTMLElement | null =>
  (event.target as Element).closest<HTMLElement>('.row');

/**
 * PageUp and PageDown move between turns, as in every feed, and scroll within a turn taller than the screen.
 * Home and End go to the ends of the loaded turns. The browser's own scrolling would miss them, since turns
 * on the way are measured while it scrolls.
 */
export const moveByKey = (
  event: KeyboardEvent,
  virtual: Virtualizer<HTMLDivElement, Element>,
  { feed, count }: { feed: HTMLElement | null; count: number },
): void => {
  // In a field these keys move the cursor.
  if ((event.target as Element).closest('form')) return;
  if (event.key === 'Home' || event.key === 'End') {
    const isHome = event.key === 'Home';
    virtual.scrollToIndex(isHome ? 0 : count - 1, { align: isHome ? 'start' : 'end' });
    event.preventDefault();
    return;
  }
  const by = event.key === 'PageDown' ? 1 : event.key === 'PageUp' ? -1 : 0;
  const row = rowOf(event);
  if (by === 0 || !row || !feed) return;
  const [at, view] = [row.getBoundingClientRect(), feed.getBoundingClientRect()];
  const beyond = by > 0 ? at.bottom - view.bottom : view.top - at.top;
  const index = Number(row.dataset.index) + by;
  const beside = feed.querySelector<HTMLElement>(`[data-index="${index}"] article`);
  if (beyond > 1) feed.scrollBy(0, by * Math.min(beyond, view.height * PAGE_SHARE));
  else if (beside) {
    beside.focus();
    if (beside.offsetHeight > view.height) virtual.scrollToIndex(index, { align: by > 0 ? 'start' : 'end' });
  } else return;
  event.preventDefault();
};
