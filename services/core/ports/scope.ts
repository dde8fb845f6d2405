/** Which part of what an organization has is meant. */
export interface Scope {
  org: string;
  /** One end-user partition; undefined: all of the organization. */
  user?: string | undefined;
  session?: string | undefined;
  /** Unix milliseconds, inclusive. */
  since?: number | undefined;
  until?: number | undefined;
  /** Only what was recorded by then: Unix milliseconds, inclusive. */
  asOf?: number | undefined;
}
