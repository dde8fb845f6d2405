/** A topic of the log that a projection may read. */
export type ProjectedTopic = 'turns' | 'observations' | 'usage' | 'accounts' | 'audit';

/** A pure fold of events into what one store writes. A generation of a store holds rows of one version. */
export interface Projection<Event, Write> {
  name: string;
  /**
   * A generation is of one version and never holds rows of two. What can be seen of the rows (their columns)
   * is in it by itself; a change of the fold, or of how an engine keeps what it writes, that earlier rows
   * don't show counts its number one up.
   */
  version: string;
  /** The topics it reads. The order between topics doesn't matter; within a partition it does. */
  topics: readonly ProjectedTopic[];
  /** Returns the writes for an event. Never throws for an event that its schema accepts. */
  fold: (event: Event) => Write[];
}
