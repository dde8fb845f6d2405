import { makeRecentlyNeeded } from '../../../../core/caches/recently-needed.ts';
import type { Scope, TailTurn } from '../../../../core/ports.ts';
import { matchesScope } from '../../../../projections/recall/tail/matches-scope.ts';
import { tailTurnBytes } from '../../../../projections/recall/tail/tail-turn.ts';
import type { FencedScripts } from './admission-scripts.ts';
import type { SealedTail } from './sealed-tail.ts';

/**
 * Turns that this process has opened, of all organizations, limited by the memory that they take. An
 * organization's limit (`mostTailBytes`) counts sealed bytes, and a long ASCII text takes 1.5 times that once
 * opened: a full tail may not fit in here, and the rest is fetched again.
 */
const HELD = { mostBytes: 48 * 1024 * 1024, unusedMs: 30_000 };
const LOOK_FOR_UNUSED_MS = 10_000;
/** Turns per script; a script's reply is parsed in one step. */
const PAGE = 200;

/** The tail as a script lists it: users, as keys name them, and the ids of their turns. */
export type ListedTail = readonly (readonly [user: string, ids: readonly string[]])[];

export interface TailReads {
  /** Returns the turns of the scope from a tail that was listed in this version of our data in Redis. */
  read(scope: Scope, version: string, listed: ListedTail): Promise<TailTurn[]>;
  /** Keeps turns that this process has put into the tail, so that it need not fetch them. */
  hold(version: string, turns: readonly TailTurn[]): void;
}

/**
 * Returns reads of tails, turn by turn: a turn is fetched and opened once, and found by its id after that. A
 * tail may have megabytes, and every recall of an organization needs all of it.
 */
export const makeTailReads = (
  tail: Pick<SealedTail, 'openTurns' | 'stillReadable'>,
  run: FencedScripts['run'],
): TailReads => {
  const held = makeRecentlyNeeded<TailTurn>(HELD);
  setInterval(() => held.dropOldest(), LOOK_FOR_UNUSED_MS).unref();
  const nameOf = (version: string, org: string, id: string): string => `${version} ${id} ${org}`;

  const hold = (version: string, turns: readonly TailTurn[]): void => {
    for (const turn of turns) held.hold(nameOf(version, turn.org, turn.id), turn, tailTurnBytes(turn));
    held.dropOldest();
  };

  const fetch = async (org: string, wanted: ListedTail): Promise<TailTurn[]> => {
    const turns: TailTurn[] = [];
    for (const page of pagesOf(wanted)) {
      const [, found] = await run('turns', org, { wanted: page.map(([user, ids]) => ({ user, ids })) });
      const texts = (found as (string | null)[]).filter(text => text !== null);
      turns.push(...(await tail.openTurns(org, texts)));
    }
    return turns;
  };

  return {
    hold,
    read: async (scope, version, listed) => {
      const { org } = scope;
      const known: TailTurn[] = [];
      const wanted = listed.map(([user, ids]) => {
        const missing = ids.filter(id => {
          const turn = held.need(nameOf(version, org, id));
          if (turn) known.push(turn);
          return !turn;
        });
        return [user, missing] as const;
      });
      const fetched = await fetch(org, wanted);
      hold(version, fetched);
      return [...(await tail.stillReadable(known)), ...fetched].filter(turn => matchesScope(scope, turn));
    },
  };
};

/** Splits a listed tail into pages of `PAGE` turns. */
function* pagesOf(wanted: ListedTail): Generator<ListedTail> {
  let page: [user: string, ids: readonly string[]][] = [];
  let room = PAGE;
  for (const [user, ids] of wanted) {
    for (let from = 0; from < ids.length; ) {
      const some = ids.slice(from, from + room);
      page.push([user, some]);
      from += some.length;
      room -= some.length;
      if (room > 0) continue;
      yield page;
      page = [];
      room = PAGE;
    }
  }
  if (page.length > 0) yield page;
}
