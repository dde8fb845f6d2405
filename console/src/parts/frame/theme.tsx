import { useState } from 'react';
import { Icon, type IconName } from '../icons.tsx';

/** The only data kept after the tab is closed: an explicit choice of light or dark. */
const NAME = 'turnstone.theme';
const THEMES = ['auto', 'light', 'dark'] as const;
type Theme = (typeof THEMES)[number];

const ICONS: Record<Theme, IconName> = { auto: 'auto', light: 'sun', dark: 'moon' };
const WORDS: Record<Theme, string> = { auto: 'system', light: 'light', dark: 'dark' };

// Returns the stored choice. If storage is disabled, accessing localStorage throws; the choice then lasts
// until a reload.
const chosen = (): Theme => {
  try {
    return THEMES.find(theme => theme === localStorage.getItem(NAME)) ?? 'auto';
  } catch {
    return 'auto';
  }
};

const keep = (theme: Theme): void => {
  try {
    if (theme === 'auto') localStorage.removeItem(NAME);
    else localStorage.setItem(NAME, theme);
  } catch {
    // The choice applies without being stored.
  }
};

export const applyTheme = (theme = chosen()): void => {
  document.documentElement.dataset.theme = theme;
};

export const ThemeToggle = () => {
  const [theme, setTheme] = useState(chosen);
  const next = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length]!;
  const choose = (): void => {
    keep(next);
    applyTheme(next);
    setTheme(next);
  };
  const label = `Colour theme: ${WORDS[theme]}. Switch to ${WORDS[next]}.`;
  return (
    <button type="button" className="quiet square" onClick={choose} aria-label={label} title={label}>
      <Icon name={ICONS[theme]} />
    </button>
  );
};
