import { useSyncExternalStore } from 'react';
import { Icon, type IconName } from '../icons.tsx';
import { applyTheme, currentTheme, keepTheme, onTheme, THEMES, type Theme } from './theme-choice.ts';

const ICONS: Record<Theme, IconName> = { auto: 'auto', light: 'sun', dark: 'moon' };
const WORDS: Record<Theme, string> = { auto: 'system', light: 'light', dark: 'dark' };

export const ThemeToggle = () => {
  const theme = useSyncExternalStore(onTheme, currentTheme);
  const next = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length]!;
  const choose = (): void => {
    keepTheme(next);
    applyTheme(next);
  };
  const label = `Colour theme: ${WORDS[theme]}. Switch to ${WORDS[next]}.`;
  return (
    <button type="button" className="quiet square" onClick={choose} aria-label={label} title={label}>
      <Icon name={ICONS[theme]} />
    </button>
  );
};
