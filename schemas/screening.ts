/** Nothing is screened before it is stored, or secrets are (domain/screening/rules.ts). */
export const SCREENS = ['off', 'secrets'] as const;
export type Screen = (typeof SCREENS)[number];

/** An organization may set one of them, or leave it to the installation. */
export const SCREEN_CHOICES = [...SCREENS, 'default'] as const;
export type ScreenChoice = (typeof SCREEN_CHOICES)[number];
