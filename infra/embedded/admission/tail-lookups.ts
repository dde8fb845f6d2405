import type { Logged, Remembered, Scope, TailTurn } from '../../../core/ports.ts';
import { matchesScope } from '../../../projections/recall/tail/matches-scope.ts';

/** Turns and jobs by id, and turns by scope. */
export const makeLookups = () => {
  const turns = new Map<string, TailTurn>();
  const jobs = new Map<string, NonNullable<Remembered['job']>>();
  /** By organization and user, then by id. */
  const scopes = new Map<string, Map<string, Map<string, TailTurn>>>();
  return {
    add: ({ turn, job }: Logged): void => {
      if (job) jobs.set(job.id, job);
      if (!turn) return;
      turns.set(turn.id, turn);
      const users = scopes.get(turn.org) ?? new Map<string, Map<string, TailTurn>>();
      scopes.set(turn.org, users);
      const ofUser = users.get(turn.user);
      if (ofUser) ofUser.set(turn.id, turn);
      else users.set(turn.user, new Map([[turn.id, turn]]));
    },
    drop: ({ turn, job }: Logged): void => {
      if (job) jobs.delete(job.id);
      if (!turn) return;
      turns.delete(turn.id);
      const users = scopes.get(turn.org);
      const ofUser = users?.get(turn.user);
      ofUser?.delete(turn.id);
      if (ofUser?.size === 0) users!.delete(turn.user);
      if (users?.size === 0) scopes.delete(turn.org);
    },
    turn: (id: string): TailTurn | undefined => turns.get(id),
    job: (id: string): Remembered['job'] => jobs.get(id),
    turns: (scope: Scope): TailTurn[] => {
      const users = scopes.get(scope.org);
      const found: TailTurn[] = [];
      for (const ofUser of scope.user === undefined ? (users?.values() ?? []) : [users?.get(scope.user)]) {
        for (const turn of ofUser?.values() ?? []) if (matchesScope(scope, turn)) found.push(turn);
      }
      return found;
    },
  };
};
