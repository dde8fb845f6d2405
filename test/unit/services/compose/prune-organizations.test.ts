import { afterEach, expect, it } from 'vitest';
import { startPruning } from '../../../../services/compose/prune-organizations.ts';
import { until } from '../../../support/wait.ts';

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

const start = (days: number, upTo: () => number | undefined) => {
  const rounds: { past: number; days: number }[] = [];
  const lines: [string, object][] = [];
  const state = { isBroken: false, asked: 0 };
  const pruning = startPruning(
    {
      pruneUnused: async (past, days) => {
        rounds.push({ past, days });
        if (state.isBroken) throw new Error('the accounts are away');
        return ['acme', 'globex'];
      },
    },
    {
      days,
      everyMs: 1,
      upTo: async () => {
        state.asked++;
        return upTo();
      },
      logger: {
        info: ((of: object) => lines.push(['info', of])) as never,
        warn: ((of: object) => lines.push(['warn', of])) as never,
      },
    },
  );
  open.push(pruning);
  return { rounds, lines, state, pruning };
};

it('removes by the instant that two sources agree on, and says how many', async () => {
  const { rounds, lines } = start(30, () => 1_000);
  await until('a round', async () => rounds.length > 0);
  expect(rounds[0]).toEqual({ past: 1_000, days: 30 });
  expect(lines[0]).toEqual(['info', { organizations: 2 }]);
});

it('removes nothing while they agree on none, nor with 0 days', async () => {
  const waiting = start(30, () => undefined);
  await until('some looks', async () => waiting.state.asked > 3);
  expect(waiting.rounds).toEqual([]);
  const never = start(0, () => 1_000);
  await waiting.pruning.close();
  expect(never.state.asked).toBe(0);
});

it('says once that it fails, and goes on', async () => {
  const { rounds, lines, state } = start(30, () => 1_000);
  state.isBroken = true;
  await until('some rounds', async () => rounds.length > 3);
  const warnings = () => lines.filter(([level]) => level === 'warn');
  expect(warnings()).toEqual([['warn', { reason: 'the accounts are away' }]]);
  state.isBroken = false;
  await until('it goes on', async () => lines.at(-1)?.[0] === 'info');
  expect(warnings()).toHaveLength(1);
});
