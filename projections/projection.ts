/** A topic of the log that a projection may read. */
export type ProjectedTopic = 'turns' | 'observations' | 'usage' | 'accounts';

/** A pure fold of events into what one store writes. A generation of a store holds rows of one version. */
export interface Projection<Event, Write> {
  name: string;
  /**
   * A change of the fold, or of how an engine keeps what it writes, that earlier rows don't show counts one
   * up: a generation is of one version and never holds rows of two.
   */
  version: string;
  /** The topics it reads. The order between topics doesn't matter; within a partition it does. */
  topics: readonly ProjectedTopic[];
  /** Returns the writes for an event. Never throws for an event that its schema accepts. */
  fold: (event: Event) => Write[];
}
