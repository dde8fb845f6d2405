/** The choice of light or dark, kept in the browser after the tab is closed. */
const NAME = 'turnstone.theme';
export const THEMES = ['auto', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

// Returns the stored choice. If storage is disabled, accessing localStorage throws; the choice then lasts
// until a reload.
const chosenTheme = (): Theme => {
  try {
    return THEMES.find(theme => theme === localStorage.getItem(NAME)) ?? 'auto';
  } catch {
    return 'auto';
  }
};

export const keepTheme = (theme: Theme): void => {
  try {
    if (theme === 'auto') localStorage.removeItem(NAME);
    else localStorage.setItem(NAME, theme);
  } catch {
    // The choice applies without being stored.
  }
};

/** Called when the colours change, wherever that was chosen. */
const listeners = new Set<() => void>();
export const onTheme = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};
export const currentTheme = (): Theme =>
  THEMES.find(theme => theme === document.documentElement.dataset.theme) ?? 'auto';

export const applyTheme = (theme = chosenTheme()): void => {
  document.documentElement.dataset.theme = theme;
  for (const listener of listeners) listener();
};
