import type { Embed } from '../../../core/ports.ts';
import { embeddedTexts, type SaidTurn } from '../../../domain/search/embedded-parts.ts';
import { turnVectors } from '../../../domain/search/vectors.ts';
import { makePatience, type ServiceCounts } from '../enricher/patience.ts';

/** Texts of a request, and their characters: servers bound both. */
const MOST_TEXTS = 16;
const MOST_CHARACTERS = 32_000;
/** Requests at once. */
const CONCURRENCY = 4;

/** Any working endpoint answers it. */
const PROBE: Asked = {
  parts: [{ turn: 0, text: 'Good morning.', isInContext: false }],
  isStale: () => false,
};

export interface EmbedTurnsPorts {
  embed: Embed;
  model: string;
  /** Called after each change. */
  onState: (state: ServiceCounts) => void;
  random?: () => number;
  /** A factor for pauses, for tests. */
  pace?: number;
}

/** A turn as it is given to a model. */
export interface EmbeddedTurn {
  turn: SaidTurn;
  /** The one before it, if the model may read that. */
  before?: (SaidTurn & { hasExpired: () => boolean }) | undefined;
  /** Whether the turn has expired by now: then it is not sent to the endpoint. */
  hasExpired: () => boolean;
}

/** A text of a turn, which is known by its number. */
interface Part {
  turn: number;
  text: string;
  /** It has the turn before, too. */
  isInContext: boolean;
}

type Batch = readonly Part[];

interface Asked {
  parts: Batch;
  isStale: () => boolean;
}

/**
 * Vectors of each turn (recall/vectors.ts); undefined for a turn that was given up or has expired. Rejects
 * when `signal` is aborted.
 */
export type EmbedTurns = (
  turns: readonly EmbeddedTurn[],
  signal: AbortSignal,
) => Promise<(readonly Int8Array[] | undefined)[]>;

/**
 * Asks for the vectors of turns, several in a request. When a request itself is the cause of a missing answer
 * (patience.ts), its turns are asked for one by one, so that a turn that the endpoint rejects doesn't cost
 * the others their vectors.
 */
export const makeEmbedTurns = ({ embed, model, ...ports }: EmbedTurnsPorts): EmbedTurns => {
  /** The vectors' length: that of the endpoint's first answer. */
  let length: number | undefined;
  const patience = makePatience<Asked, readonly Int8Array[]>({
    ...ports,
    isStale: ({ isStale }) => isStale(),
    probe: PROBE,
    concurrency: CONCURRENCY,
    ask: async ({ parts }, signal) => {
      const texts = parts.map(({ text }) => text);
      const answer = await embed.embed({ model, as: 'passage', texts }, signal);
      if (answer.kind !== 'embedded') return answer;
      const own = answer.vectors[0]!.length;
      length ??= own;
      // Another model has this name now: nothing is lost while somebody looks at it.
      if (own !== length) return { kind: 'refused', reason: `vectors of ${own} components, not ${length}` };
      return { kind: 'found', found: answer.vectors };
    },
  });

  return async (given, signal) => {
    const vectors: (Int8Array[] | undefined)[] = given.map(() => []);
    const inContext: (Int8Array | undefined)[] = [];
    const hasExpired = ({ turn, isInContext }: Part): boolean =>
      given[turn]!.hasExpired() || (isInContext && given[turn]!.before!.hasExpired());
    const give = async (whole: Batch): Promise<void> => {
      // A backfill may have waited for hours.
      const batch = whole.filter(part => !hasExpired(part));
      for (const { turn } of whole) if (given[turn]!.hasExpired()) vectors[turn] = undefined;
      if (batch.length === 0) return;
      const outcome = await patience.ask({ parts: batch, isStale: () => batch.some(hasExpired) }, signal);
      // Some of it has expired meanwhile.
      if (!outcome) return give(batch);
      if ('found' in outcome) {
        for (const [i, { turn, isInContext }] of batch.entries())
          if (isInContext) inContext[turn] = outcome.found[i];
          else vectors[turn]?.push(outcome.found[i]!);
        return;
      }
      const turns = [...Map.groupBy(batch, ({ turn }) => turn).values()];
      if (turns.length > 1) {
        for (const own of turns) await give(own);
        return;
      }
      // Its own words may be taken.
      const alone = batch.filter(({ isInContext }) => !isInContext);
      if (alone.length < batch.length) return give(alone);
      vectors[batch[0]!.turn] = undefined;
      patience.giveUp();
    };
    const parts = given.flatMap(({ turn: said, before }, turn) => {
      const texts = embeddedTexts(said, before);
      return [
        ...(texts.inContext === undefined ? [] : [{ turn, text: texts.inContext, isInContext: true }]),
        ...texts.parts.map((text): Part => ({ turn, text, isInContext: false })),
      ];
    });
    await Promise.all(
      turnsInTurn(batchesOf(parts)).map(async those => {
        for (const batch of those) await give(batch);
      }),
    );
    return vectors.map((own, turn) => own && turnVectors(inContext[turn], own));
  };
};

const batchesOf = (parts: readonly Part[]): Batch[] => {
  const batches: Part[][] = [];
  let characters = 0;
  for (const part of parts) {
    const last = batches.at(-1);
    characters += part.text.length;
    if (last && last.length < MOST_TEXTS && characters <= MOST_CHARACTERS) last.push(part);
    else {
      batches.push([part]);
      characters = part.text.length;
    }
  }
  return batches;
};

/**
 * Batches that share a turn are asked one after the other, so that its vectors have the order of its parts.
 */
const turnsInTurn = (batches: readonly Batch[]): Batch[][] => {
  const chains: Batch[][] = [];
  for (const batch of batches) {
    const chain = chains.at(-1);
    const before = chain?.at(-1)?.at(-1)?.turn;
    if (chain && before === batch[0]!.turn) chain.push(batch);
    else chains.push([batch]);
  }
  return chains;
};
