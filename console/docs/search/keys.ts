/** Opens the search by its button, `/` and Ctrl-K; its code is loaded when it is first opened. */
let opener: Promise<() => void> | undefined;

const open = async (): Promise<void> => {
  opener ??= import('./dialog.ts').then(({ makeSearch }) => makeSearch());
  (await opener)();
};

/** Whether what is typed goes into a field, where `/` is a letter. */
const isTyping = ({ target }: KeyboardEvent): boolean =>
  target instanceof Element && target.closest('input, textarea, select, [contenteditable]') !== null;

export const enableSearch = (): void => {
  for (const button of document.querySelectorAll<HTMLElement>('[data-search]')) {
    button.hidden = false;
    button.addEventListener('click', () => void open());
  }
  document.addEventListener('keydown', event => {
    const isShortcut = event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey);
    const isSlash = event.key === '/' && !event.ctrlKey && !event.metaKey && !event.altKey;
    if (!isShortcut && !(isSlash && !isTyping(event))) return;
    event.preventDefault();
    void open();
  });
};
