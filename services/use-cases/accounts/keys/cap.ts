interface Cap {
  name: string;
  /** How many there may be; 0: any number. */
  most: number;
  /** How many there are. */
  count: () => Promise<number>;
  full: () => Error;
}

/** Those who add to one name: they count one after the other, and add side by side. */
interface Line {
  callers: number;
  counted: Promise<unknown>;
  adding: Set<Promise<unknown>>;
}

/** Resolves when there is room for one more; rejects with `full` when all places are taken. */
const findRoom = async ({ most, count, full }: Cap, line: Line): Promise<void> => {
  const adding = [...line.adding];
  if ((await count()) + adding.length < most) return;
  // An addition under way was counted twice if it ended meanwhile, or once too often if it failed.
  await Promise.allSettled(adding);
  if (adding.length === 0 || (await count()) >= most) throw full();
};

/**
 * Caps the number of things under a name, where counting and adding are two steps: as many racing calls
 * succeed as there are free places. Other processes may each add one more.
 */
export const makeCap = () => {
  const lines = new Map<string, Line>();

  /** Adds one if there is room for it. */
  return async <T>(cap: Cap, add: () => Promise<T>): Promise<T> => {
    if (cap.most === 0) return add();
    const line = lines.get(cap.name) ?? { callers: 0, counted: Promise.resolve(), adding: new Set() };
    lines.set(cap.name, line);
    line.callers++;
    const room = line.counted.then(async () => {
      await findRoom(cap, line);
      const added = add();
      line.adding.add(added);
      const ended = () => line.adding.delete(added);
      added.then(ended, ended);
      return { added };
    });
    line.counted = room.catch(() => {});
    try {
      return await (await room).added;
    } finally {
      if (--line.callers === 0) lines.delete(cap.name);
    }
  };
};
