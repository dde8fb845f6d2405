/**
 * Completes a date with `timeOfDay`: its first millisecond for the start of a window, its last for the end.
 */
export const instant = (text: string | undefined, timeOfDay: string): string | undefined =>
  text !== undefined && /^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T${timeOfDay}Z` : text;
