/**
 * Returns the milliseconds to wait according to a `Retry-After` header (RFC 9110, 10.2.3: seconds, or an HTTP
 * date); undefined for anything else. `now`: Unix milliseconds.
 */
export const retryAfterMs = (header: string | null, now: number): number | undefined => {
  const text = header?.trim() ?? '';
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1_000;
  // A date starts with its weekday; `Date.parse` alone would accept "1.5" as a date.
  if (!/^[A-Z][a-z]{2,8}, ?/.test(text)) return undefined;
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
};
