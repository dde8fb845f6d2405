/** Reads what is still shown of what was said about sessions and names, many at a time: for exports. */
export interface LivingReads {
  /**
   * Return the titles of these sessions as their list shows them, in the given order; undefined: none, or no
   * such session.
   */
  titles(
    org: string,
    sessions: readonly { user: string; session: string }[],
  ): Promise<(string | undefined)[]>;
  /** Return whether a turn says each of these normalised labels, in the given order. */
  areNamed(org: string, names: readonly { user: string; normalised: string }[]): Promise<boolean[]>;
}
