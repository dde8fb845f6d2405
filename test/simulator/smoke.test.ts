import { writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { it } from 'vitest';
import { play } from './history/run.ts';
import { shrink } from './history/shrink.ts';
import { lineOf, stepsOf } from './history/steps.ts';

it('smoke', { timeout: 1e7 }, async () => {
  const from = Number(process.env.SEED ?? 1);
  const to = Number(process.env.TO ?? from);
  const count = Number(process.env.STEPS ?? 60);
  const session = new Session();
  if (process.env.PROF) {
    await play(stepsOf(1, 30));
    session.connect();
    await session.post('Profiler.enable');
    await session.post('Profiler.start');
  }
  for (let seed = from; seed <= to; seed++) {
    const cpu = process.cpuUsage();
    const steps = stepsOf(seed, count);
    const played = await play(steps);
    const { failure, digest } = played;
    const used = process.cpuUsage(cpu);
    console.log(
      `seed ${seed}: ${failure ? `FAILED at ${failure.at} ${failure.found}` : 'ok'} ${digest.slice(0, 8)} ${Math.round((used.user + used.system) / 1000)} ms`,
    );
    if (failure && process.env.SHOW) {
      const lines = steps.slice(0, failure.at + 1).map(lineOf);
      const about = JSON.parse(process.env.SHOW) as string[];
      console.log(
        lines
          .map((line, i) => `${i} ${line}`)
          .filter(line => about.some(one => line.includes(one)))
          .join('\n'),
      );
      console.log(
        played.trace
          .slice(-12)
          .map(line => line.slice(0, 400))
          .join('\n'),
      );
      continue;
    }
    if (failure) {
      const shrunk = await shrink(steps, played, play, Number(process.env.RUNS ?? 60));
      console.log(
        `shrunk in ${shrunk.runs} to ${shrunk.steps.length}: ${shrunk.played.failure!.found}\n${shrunk.steps.map(lineOf).join('\n')}\n${shrunk.played.trace.map(line => line.slice(0, 300)).join('\n')}`,
      );
    }
  }
  if (process.env.PROF) {
    const { profile } = await session.post('Profiler.stop');
    writeFileSync('/tmp/w2.cpuprofile', JSON.stringify(profile));
  }
});
