import { counted } from '../../words/numbers.ts';

/** Returns how long something is kept, in words. */
export const keptFor = (days: number | null): string => (days === null ? 'for ever' : counted(days, 'day'));
