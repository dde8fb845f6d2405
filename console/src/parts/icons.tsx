/** 24 × 24 line icons, hidden from screen readers because the text beside them says the same. */
const PATHS = {
  copy: 'M9 9h10v11H9zM5 15V4h10',
  done: 'M5 12.5l4.5 4.5L19 7.5',
  next: 'M9 6l6 6-6 6',
  previous: 'M15 6l-6 6 6 6',
  search: 'M11 4a7 7 0 100 14 7 7 0 000-14zM16 16l5 5',
  sun: 'M12 8a4 4 0 100 8 4 4 0 000-8zM12 2v2M12 20v2M4 12H2M22 12h-2M5.6 5.6L4.2 4.2M19.8 19.8l-1.4-1.4M18.4 5.6l1.4-1.4M4.2 19.8l1.4-1.4',
  moon: 'M20 14.5A8.5 8.5 0 019.5 4a8.5 8.5 0 1010.5 10.5z',
  auto: 'M12 3a9 9 0 100 18zM12 3a9 9 0 010 18',
  warning: 'M12 4l9 16H3zM12 10v4M12 17v.5',
} as const;

export type IconName = keyof typeof PATHS;

export const Icon = ({ name }: { name: IconName }) => (
  <svg className="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
    <path d={PATHS[name]} />
  </svg>
);

export const Mark = () => (
  <svg className="mark" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
    <rect width="24" height="24" rx="6" />
    <path d="M6 8.5h12M12 8.5v9" />
  </svg>
);
