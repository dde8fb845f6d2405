/** Makes tabs of blocks that show one thing in several languages; the choice is kept for all pages. */
import { element } from './element.ts';

const KEPT = 'turnstone.docs.language';

/** A browser may refuse to store anything: the choice is that of the page then. */
const kept = (): string | undefined => {
  try {
    return localStorage.getItem(KEPT) ?? undefined;
  } catch {
    return undefined;
  }
};
const keep = (label: string): void => {
  try {
    localStorage.setItem(KEPT, label);
  } catch {
    // Shown all the same.
  }
};

interface Group {
  tabs: HTMLButtonElement[];
  panels: HTMLElement[];
}

const labelOf = (tab: HTMLElement): string => tab.textContent ?? '';

/** Shows the block of this language, where the group has it. */
const show = ({ tabs, panels }: Group, label: string): void => {
  const chosen = tabs.findIndex(tab => labelOf(tab) === label);
  if (chosen < 0) return;
  for (const [at, tab] of tabs.entries()) {
    tab.setAttribute('aria-selected', String(at === chosen));
    tab.tabIndex = at === chosen ? 0 : -1;
    panels[at]!.hidden = at !== chosen;
  }
};

const STEPS: Record<string, (at: number, count: number) => number> = {
  ArrowRight: (at, count) => (at + 1) % count,
  ArrowLeft: (at, count) => (at + count - 1) % count,
  Home: () => 0,
  End: (_, count) => count - 1,
};

const groupOf = (root: HTMLElement, number: number): Group => {
  const panels = [...root.querySelectorAll<HTMLElement>('.choice')];
  const tabs = panels.map((panel, at) => {
    const id = `choice-${number}-${at}`;
    panel.id = id;
    panel.setAttribute('role', 'tabpanel');
    panel.setAttribute('aria-labelledby', `${id}-tab`);
    panel.querySelector('.label')?.remove();
    return element(
      'button',
      { type: 'button', role: 'tab', id: `${id}-tab`, 'aria-controls': id },
      panel.dataset.label ?? '',
    );
  });
  root.prepend(element('div', { role: 'tablist', 'aria-label': 'Language' }, ...tabs));
  root.classList.add('tabs');
  return { tabs, panels };
};

export const makeTabs = (): void => {
  const groups = [...document.querySelectorAll<HTMLElement>('.choices')].map(groupOf);
  const choose = (tab: HTMLElement): void => {
    // Blocks above may change their heights: what was clicked stays where it is.
    const before = tab.getBoundingClientRect().top;
    for (const group of groups) show(group, labelOf(tab));
    scrollBy({ top: tab.getBoundingClientRect().top - before, behavior: 'instant' });
    keep(labelOf(tab));
  };
  for (const group of groups) {
    show(group, labelOf(group.tabs[0]!));
    const label = kept();
    if (label !== undefined) show(group, label);
    for (const [at, tab] of group.tabs.entries()) {
      tab.addEventListener('click', () => choose(tab));
      tab.addEventListener('keydown', event => {
        const next = STEPS[event.key]?.(at, group.tabs.length);
        if (next === undefined) return;
        event.preventDefault();
        group.tabs[next]!.focus();
        choose(group.tabs[next]!);
      });
    }
  }
};
