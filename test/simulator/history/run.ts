/** Runs a history from its steps, and says which invariant did not hold. */
import { createHash } from 'node:crypto';
import { type Machine, takeMachine } from '../machine/machine.ts';
import { watchResources } from '../machine/resources.ts';
import { mayHaveExpired } from '../model/expected.ts';
import type { During, Item } from '../model/item.ts';
import { makeModel } from '../model/model.ts';
import { NOTHING_PLANTED, type Plant } from '../world/plant.ts';
import {
  type Lost,
  makeFolder,
  ORGS,
  openWorld,
  prepareSigningKeys,
  QUARANTINE_HOURS,
  type World,
} from '../world/world.ts';
import type { Stage } from './attempts.ts';
import { look, type Run, type Told, toldTo } from './look.ts';
import { type Performed, perform } from './perform.ts';
import { isCall, type Step } from './steps.ts';
import { type Invariant, Violation } from './violation.ts';

export interface Failure {
  invariant: Invariant;
  found: string;
  /** The number of the step at which it was found, from 0. */
  at: number;
}

export interface Played {
  failure: Failure | undefined;
  /** A digest over all outcomes: two runs of a history have the same. */
  digest: string;
  trace: string[];
}

const START = Date.UTC(2026, 2, 10);
const ANSWERED_WITHIN_MS = 120_000;
const QUARANTINE_MS = QUARANTINE_HOURS * 3_600_000;
/** A quarantine may end this much earlier by its rounding. */
const ROUNDED = 0.9;

/** The process has ended under what was run. */
class Ended extends Error {}

class History {
  readonly trace: string[] = [];
  private readonly model = makeModel();
  private readonly ids = new Map<string | number, string>() as Map<number, string>;
  private readonly underWay = new Set<Performed>();
  private readonly calls: During[] = [];
  private readonly machine: Machine;
  private readonly plant: Plant;
  private readonly folder;
  private readonly resources = watchResources();
  private world!: World;
  private violation: Violation | undefined;
  private kill: { lost: Lost } | undefined;
  private isDisturbed = false;
  private ran = 0;

  constructor(plant: Plant) {
    this.plant = plant;
    this.folder = makeFolder(this.resources);
    this.machine = takeMachine(1, START);
  }

  close(): void {
    this.world?.fate.kill();
    this.machine.release();
    this.folder.remove();
    this.resources.release();
  }

  async open(): Promise<void> {
    await this.begin();
    for (const org of ORGS) await this.run(this.world.accounts.createOrganization(org));
  }

  private async begin(): Promise<void> {
    this.kill = undefined;
    this.world = await openWorld(this.machine, this.folder, this.plant, () =>
      this.folder.ends(this.kill?.lost ?? 'nothing'),
    );
  }

  private readonly run: Run = async <T>(work: Promise<T>): Promise<T> => {
    let settled: { value: T } | { error: unknown } | undefined;
    work.then(
      value => (settled = { value }),
      error => (settled = { error }),
    );
    const { fate } = this.world;
    await this.machine.until(() => settled !== undefined || fate.isDead(), ANSWERED_WITHIN_MS);
    if (settled && 'value' in settled) return settled.value;
    if (settled) throw settled.error;
    if (fate.isDead()) throw new Ended();
    throw new Violation('errors are expected ones', 'a call is not answered within two minutes');
  };

  /** Waits for the calls under way; returns whether the process still runs. */
  private async answered(): Promise<void> {
    const { fate } = this.world;
    const isDone = await this.machine.until(
      () => this.underWay.size === 0 || fate.isDead() || this.violation !== undefined,
      ANSWERED_WITHIN_MS,
    );
    if (this.violation) throw this.violation;
    if (!isDone) throw new Violation('errors are expected ones', 'a call is not answered within two minutes');
    if (fate.isDead() || this.kill) await this.restart();
  }

  private async restart(): Promise<void> {
    this.world.fate.kill();
    for (const one of this.underWay) one.lost();
    this.underWay.clear();
    this.trace.push('the process has ended');
    await this.begin();
  }

  private stage(): Stage {
    const { world, model, ids } = this;
    return {
      world,
      model,
      ids,
      isDisturbed: () => this.isDisturbed,
      isAlone: during =>
        this.calls.every(other => other === during || other.to < during.from || other.from > during.to),
    };
  }

  private start(step: Extract<Step, { salt: number }>): void {
    if (!isCall(step)) return;
    const number = this.trace.length;
    this.trace.push('');
    const performed = perform(this.stage(), step);
    this.calls.push(performed.during);
    this.underWay.add(performed);
    performed.outcome.then(
      outcome => {
        this.underWay.delete(performed);
        this.trace[number] = `${step.op}: ${outcome}`;
      },
      error => {
        this.underWay.delete(performed);
        this.violation ??=
          error instanceof Violation
            ? error
            : new Violation('errors are expected ones', String(error?.stack));
      },
    );
  }

  async step(step: Step): Promise<void> {
    const ranBefore = this.ran;
    const began = performance.now();
    if (!step.beside) await this.answered();
    this.world.fate.mix(step.salt);
    if (isCall(step)) this.start(step);
    else await this.event(step);
    this.ran += performance.now() - began;
    this.noteExpired(ranBefore);
  }

  async end(): Promise<void> {
    await this.answered();
  }

  private noteExpired(ranBefore: number): void {
    const now = Date.now();
    for (const item of this.model.items.values()) {
      // A title goes with the last of its session, and may come back with the next.
      if (item.kind === 'title') item.isDestroyed ||= !this.hasLiving(item, now);
      else if (!mayHaveExpired(item, now)) item.expiredSince = undefined;
      else {
        item.expiredSince ??= ranBefore;
        if (this.ran - item.expiredSince >= ROUNDED * QUARANTINE_MS) item.isDestroyed = true;
      }
    }
  }

  /** Whether something of the title's session is there, or may be. */
  private hasLiving({ scope }: Item, now: number): boolean {
    return [...this.model.items.values()].some(
      one =>
        (one.kind === 'turn' || one.kind === 'said') &&
        one.scope.org === scope.org &&
        one.scope.user === scope.user &&
        one.scope.session === scope.session &&
        one.stored !== 'no' &&
        one.hidden !== 'yes' &&
        one.erased !== 'yes' &&
        !one.isDestroyed &&
        !mayHaveExpired(one, now),
    );
  }

  private async event(step: Step): Promise<void> {
    const { fate, threads } = this.world;
    switch (step.op) {
      case 'pass':
        return this.machine.pass(step.ms);
      case 'jump':
        return this.machine.jump(step.ms);
      case 'kill':
        this.kill = { lost: step.lost };
        return fate.killAt(step.after);
      case 'disk':
        this.isDisturbed = true;
        return fate.failNext(step.part, step.calls);
      case 'hold':
        this.isDisturbed = true;
        return threads.hold();
      case 'go':
        return threads.letGo();
      case 'look':
        return this.orEnded(async () => {
          await this.look();
        });
      case 'replay':
      case 'rollback':
        return this.orEnded(() => this.operate(step.op));
    }
  }

  /** Does the work again in the next process, if this one ends meanwhile. */
  private async orEnded(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof Ended)) throw error;
      await this.restart();
      return this.orEnded(work);
    }
  }

  private async look(): Promise<Record<string, Told>> {
    this.world.fate.heal();
    this.world.threads.letGo();
    const told = await look(this.world, this.machine, this.model, this.run);
    this.isDisturbed = false;
    this.trace.push(`look: ${JSON.stringify(told)}`);
    return told;
  }

  /** A replay and a rollback change no answer. */
  private async operate(op: 'replay' | 'rollback'): Promise<void> {
    this.isDisturbed = true;
    const before = op === 'replay' ? await this.look() : undefined;
    this.isDisturbed = true;
    const { operatorCalls } = this.world.engines;
    const reading = async (): Promise<void> => {
      const signal = new AbortController().signal;
      for await (const message of operatorCalls[op]!({ projection: 'all' }, signal))
        if (message.kind === 'verified' && message.differences > 0)
          throw new Violation('verify finds nothing', `a replay differs in ${message.differences} rows`);
    };
    const outcome = await this.run(reading()).then(
      () => 'done',
      error => {
        if (error instanceof Violation || error instanceof Ended) throw error;
        if (op === 'replay') throw new Violation('errors are expected ones', `replay: ${error.stack}`);
        return error.message as string;
      },
    );
    this.trace.push(`${op}: ${outcome}`);
    if (!before) return;
    for (const org of ORGS) {
      const { facts } = await toldTo(this.world, org, this.run);
      if (JSON.stringify(facts) !== JSON.stringify(before[org]!.facts))
        throw new Violation(
          'what holds is the fold',
          `after a replay ${org} has ${JSON.stringify(facts)}, and had ${JSON.stringify(before[org]!.facts)}`,
        );
    }
  }
}

const digestOf = (trace: readonly string[]): string =>
  createHash('sha256').update(trace.join('\n')).digest('hex');

export const play = async (steps: readonly Step[], plant: Plant = NOTHING_PLANTED): Promise<Played> => {
  await prepareSigningKeys();
  const history = new History(plant);
  let at = 0;
  const failed = (error: unknown): Played => {
    const violation =
      error instanceof Violation
        ? error
        : new Violation(
            'errors are expected ones',
            error instanceof Error ? `${error.stack}` : String(error),
          );
    const failure = { invariant: violation.invariant, found: violation.message, at };
    return { failure, digest: digestOf(history.trace), trace: history.trace };
  };
  try {
    await history.open();
    for (const step of steps) {
      await history.step(step);
      at++;
    }
    await history.end();
    return { failure: undefined, digest: digestOf(history.trace), trace: history.trace };
  } catch (error) {
    return failed(error);
  } finally {
    history.close();
  }
};
