/** A bare day is completed with `timeOfDay`: its first millisecond where a window begins, its last where it ends. */
export const instant = (text: string | undefined, timeOfDay: string): string | undefined =>
  text !== undefined && /^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T${timeOfDay}Z` : text;
