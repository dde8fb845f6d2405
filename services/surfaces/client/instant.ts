/** Completes a bare day with `timeOfDay`: its first millisecond to begin a window, its last to end it. */
export const instant = (text: string | undefined, timeOfDay: string): string | undefined =>
  text !== undefined && /^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T${timeOfDay}Z` : text;
