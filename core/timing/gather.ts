/**
 * Returns a function that collects what it is given in one round of the event loop and hands all of it to
 * `work` at the round's end, in the order of its arrival. So nothing waits for more to come, and under load
 * what has arrived together shares one step. `work` may not throw.
 */
export const gather = <Item>(work: (items: Item[]) => void): ((item: Item) => void) => {
  let gathered: Item[] = [];
  const end = (): void => {
    const items = gathered;
    gathered = [];
    work(items);
  };
  return item => {
    if (gathered.push(item) === 1) setImmediate(end);
  };
};
