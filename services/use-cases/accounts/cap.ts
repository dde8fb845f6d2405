/**
 * A cap on what there may be of something by name, where counting and adding are two steps: what this process is adding
 * counts as added, so that of racing calls not all find the last place. Processes beside it may each add one more.
 */
export const makeCap = () => {
  const underWay = new Map<string, number>();

  /** Adds one if `most` leaves room for it; 0: always. `count` tells how many there are. */
  return async <T>(
    {
      name,
      most,
      count,
      full,
    }: { name: string; most: number; count: () => Promise<number>; full: () => Error },
    add: () => Promise<T>,
  ): Promise<T> => {
    if (most === 0) return add();
    const mine = (underWay.get(name) ?? 0) + 1;
    underWay.set(name, mine);
    try {
      if ((await count()) + mine > most) throw full();
      return await add();
    } finally {
      const left = underWay.get(name)! - 1;
      if (left === 0) underWay.delete(name);
      else underWay.set(name, left);
    }
  };
};
