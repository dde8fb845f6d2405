/**
 * Splits work into what is taken now and what is left, both in the order of arrival. Organizations take
 * turns until the taken work weighs `most`, so that none fills a batch while another waits; one item is
 * always taken.
 */
export const takeFairly = <Item>(
  waiting: readonly Item[],
  most: number,
  of: (item: Item) => { org: string; weight: number },
): { taken: Item[]; left: Item[] } => {
  if (waiting.reduce((sum, item) => sum + of(item).weight, 0) <= most)
    return { taken: [...waiting], left: [] };
  const taken = new Set<Item>();
  let room = most;
  let lines = [...Map.groupBy(waiting, item => of(item).org).values()].map(items => items.values());
  while (lines.length > 0 && room > 0) {
    lines = lines.filter(line => {
      const { value, done } = line.next();
      if (done) return false;
      const { weight } = of(value);
      // One that doesn't fit waits, and with it all that its organization sent after it.
      if (taken.size > 0 && weight > room) return false;
      taken.add(value);
      room -= weight;
      return true;
    });
  }
  return { taken: waiting.filter(item => taken.has(item)), left: waiting.filter(item => !taken.has(item)) };
};
