import { ServiceError } from '../../../core/errors.ts';
import {
  changed,
  comingOf,
  type Registered,
  type RegisteredGeneration,
  servingOf,
  standbyOf,
} from '../../../core/generations.ts';
import { eventsBetween, hasReached, positionsIn } from '../../../core/log/positions.ts';
import type { Generation, Generations } from '../../../core/ports/projection/generations.ts';
import type { Positions } from '../../../core/ports.ts';
import { heldBy } from '../held-positions.ts';
import { beginReplay, planOf } from './begin.ts';
import { asDropped, type Projection, removeDropped, serve } from './replayed-projection.ts';

/** Throws `conflict` when a rollback would lose track of a generation that is being built or promoted. */
const assertNoneIsComing = (projection: string, registered: Registered, needsBuilding: boolean): void => {
  const coming = comingOf(registered);
  if (coming && (needsBuilding || coming.state === 'promoting'))
    throw new ServiceError(
      'conflict',
      `Generation ${coming.number} of ${projection} is on its way: replay or wait.`,
    );
  if (!servingOf(registered)) throw new ServiceError('conflict', `No generation of ${projection} is served.`);
};

const notRegistered = (): ServiceError =>
  new ServiceError('conflict', 'The generations are not registered: run `turnstone migrate`.');

/** The positions of a standby that the projectors write to, where it lacks acknowledged events. */
const heldByStandby = async <Row, Request>({
  projection,
  registry,
  engine,
  committed,
  topics,
}: Projection<Row, Request>): Promise<{ generation: number; positions: Positions } | undefined> => {
  const registered = await registry.read(projection);
  const standby = registered && standbyOf(registered);
  if (!standby || standby.positions !== undefined) return undefined;
  const acknowledged = positionsIn(await committed(), topics);
  const positions = await heldBy(engine, standby.number, acknowledged);
  return hasReached(positions, acknowledged) ? undefined : { generation: standby.number, positions };
};

/** The generations of one projection in the shared engines. */
export const makeProjectionGenerations = <Row, Request>(replayed: Projection<Row, Request>): Generations => {
  const { projection, version, registry, engine, log, committed, topics } = replayed;

  const list = async (): Promise<Generation[]> => {
    const registered = await registry.read(projection);
    const [ends, projected] = [positionsIn(await log.ends(), topics), await committed()];
    const row = async (one: RegisteredGeneration): Promise<Generation> => ({
      projection,
      number: one.number,
      version: one.version,
      model: one.model,
      state: one.state === 'joined' || one.state === 'promoting' ? 'building' : one.state,
      behind: eventsBetween(one.positions ?? projected, ends),
      bytes: await engine.bytes(one.number),
    });
    return Promise.all((registered?.generations ?? []).map(row));
  };

  const plan: Generations['plan'] = async signal => {
    await replayed.assertWhole();
    const registered = await registry.read(projection);
    if (!registered) throw notRegistered();
    const coming = comingOf(registered);
    const isContinued = coming?.version === version;
    const number = isContinued ? coming.number : registered.last + 1;
    const positions = (isContinued && coming.positions) || {};
    return planOf(replayed, number, positions, signal);
  };

  const rollback: Generations['rollback'] = async () => {
    let standby: RegisteredGeneration | undefined;
    let isFrozen = false;
    const held = await heldByStandby(replayed);
    await registry.change(projection, registered => {
      standby = standbyOf(registered);
      if (!standby) return undefined;
      if (standby.version !== version)
        throw new ServiceError(
          'conflict',
          `Generation ${standby.number} is of version ${standby.version}: the release that writes it can go back to it.`,
        );
      // Restored from an older copy: the missing events are read from its position on.
      const isBehind = held !== undefined && held.generation === standby.number;
      isFrozen = standby.positions !== undefined || isBehind;
      assertNoneIsComing(projection, registered, isFrozen);
      return changed(registered, standby.number, one => ({
        ...one,
        ...(isBehind && { positions: held.positions }),
        state: isFrozen ? 'building' : 'promoting',
      }));
    });
    if (!standby) return 'no standby';
    // No release has written to it since another version began to serve: first the missing events are read
    // from the log.
    if (isFrozen) return 'behind';
    return { serving: standby.number, standby: await serve(replayed, standby.number) };
  };

  const retire: Generations['retire'] = async () => {
    await registry.change(projection, registered => {
      const standby = standbyOf(registered);
      return standby && changed(registered, standby.number, one => asDropped(one, 'retired'));
    });
    return removeDropped(replayed);
  };

  return {
    projection,
    list,
    plan,
    begin: async (options, signal) => {
      if (!(await registry.read(projection))) throw notRegistered();
      return beginReplay(replayed, options, signal);
    },
    rollback,
    retire,
  };
};
