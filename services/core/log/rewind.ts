/** Thrown by the handler of a shared log: the group's position goes back, and the records from there come again. */
export class Rewind extends Error {
  readonly offset: number;

  constructor(offset: number, reason: string) {
    super(reason);
    this.name = 'Rewind';
    this.offset = offset;
  }
}
