/** A stage of the work on a turn. */
export interface Stage {
  name: string;
  /** CPU microseconds per turn. */
  microseconds: number;
}

/** Returns how to add a stage that handles `turns` turns: the CPU of the whole process, other threads too. */
export const makeTimed =
  (turns: number) =>
  async (stages: Stage[], name: string, work: () => unknown | Promise<unknown>): Promise<void> => {
    const before = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(before);
    stages.push({ name, microseconds: (user + system) / turns });
  };
