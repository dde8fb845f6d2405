import { it } from 'vitest';
import { play } from './history/run.ts';
import { lineOf, stepsOf } from './history/steps.ts';

it('smoke', async () => {
  const from = Number(process.env.SEED ?? 1);
  const to = Number(process.env.TO ?? from);
  const count = Number(process.env.STEPS ?? 60);
  for (let seed = from; seed <= to; seed++) {
    const cpu = process.cpuUsage();
    const steps = stepsOf(seed, count);
    const { failure, digest, trace } = await play(steps);
    const used = process.cpuUsage(cpu);
    console.log(
      `seed ${seed}: ${failure ? `FAILED at ${failure.at} ${failure.found}` : 'ok'} ${digest.slice(0, 8)} ${Math.round((used.user + used.system) / 1000)} ms`,
    );
    if (failure && from === to) {
      console.log(
        steps
          .slice(0, failure.at + 1)
          .map(lineOf)
          .join('\n'),
      );
      console.log(trace.map(line => line.slice(0, 300)).join('\n'));
    }
  }
});
