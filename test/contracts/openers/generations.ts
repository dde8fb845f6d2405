import type { Generation } from '../../../core/operator/replay-messages.ts';
import type { Engines } from '../../../core/ports/engines.ts';
import { until } from '../../support/wait.ts';
import { extracted, turnRecorded } from '../../support/worlds/builders.ts';
import { recordWith } from '../../support/worlds/frames.ts';

/** A service with projections that an operator replays. */
export interface GenerationsBench {
  /** The projection that is replayed: `all` of a data folder, `recall` of the shared engines. */
  projection: 'all' | 'recall';
  call(name: string, args: object, signal?: AbortSignal): AsyncIterable<object>;
  /** Appends the turns `from` to `to`, and as many observations; resolves when all generations show them. */
  fill(from: number, to: number): Promise<void>;
  /** Changes the text of a turn in a generation that is not served. */
  damage(generation: number): Promise<void>;
  close(): Promise<void>;
}

export type OpenGenerations = () => Promise<GenerationsBench>;

/** All but what differs between the modes. */
export const benchOf = (
  engines: Engines,
  projection: GenerationsBench['projection'],
): Pick<GenerationsBench, 'projection' | 'call' | 'fill'> => {
  const call: GenerationsBench['call'] = (name, args, signal = new AbortController().signal) =>
    engines.operatorCalls[name as 'replay']({ ...args }, signal);
  return {
    projection,
    call,
    fill: async (from, to) => {
      const key = await engines.keys.forSession('acme', 'ada', 's1');
      const turns = Array.from({ length: to - from }, (_, i) => turnRecorded(from + i, { passive: false }));
      const events = turns.flatMap((turn, i) => [turn, extracted(from + i, turn, {})]);
      await engines.transfer.log.append(
        events.map(event => ({
          topic: event.topic,
          key: event.org_id,
          value: recordWith(event, key),
        })),
      );
      await until(
        'it is projected',
        async () => {
          for await (const row of call('generations', {})) if ((row as Generation).behind > 0) return false;
          return true;
        },
        60_000,
      );
    },
  };
};
