import type {
  ChosenHit,
  Retrieval,
  Retrieved,
  Scope,
  SearchRequest,
  SearchResult,
  StoredFragment,
  TurnDetails,
} from '../../../core/ports.ts';
import type { Deadline } from '../../../core/timing/deadline.ts';
import { traced } from '../../../core/tracing/spans.ts';
import type { Language } from '../../../domain/language/language.ts';
import { confidence } from '../../../domain/ranking/confidence.ts';
import { rankDeep, secondHop } from '../../../domain/ranking/deep.ts';
import { type Prepared, prepare } from '../../../domain/ranking/features/features.ts';
import { rank } from '../../../domain/ranking/rank.ts';
import {
  followsRepeat,
  leavesOutRepeats,
  makeRepeats,
  withoutRepeats,
} from '../../../domain/ranking/repeats-question.ts';
import { SHORTLIST } from '../../../domain/search/candidates.ts';
import { type Candidate, NO_NEIGHBOURS, wholeOf } from '../../../domain/search/document.ts';
import { chooseHits, type RankedCandidates } from './hits/hits.ts';
import { readOnce, withNested } from './hits/nested-facts.ts';
import { makeRecallNames, type NamePorts } from './hits/recall-names.ts';
import { readWhatHolds, type WhatHolds } from './hits/what-holds.ts';
import { makeReadModel } from './models/read-model.ts';
import type { RerankBest } from './models/rerank-best.ts';
import type { Read } from './reader/start-reader.ts';
import { makeWithPart } from './receipt/part.ts';

export interface RankPorts {
  retrieval: Retrieval;
  language: Pick<Language, 'analyseQuery'>;
  /** Where a reranking model is configured. */
  rerankBest?: RerankBest | undefined;
}

export interface SearchPorts extends Pick<RankPorts, 'retrieval' | 'rerankBest'> {
  details: Pick<TurnDetails, 'observationsOf' | 'facts' | 'turnsOf' | 'entitiesOf' | 'nameCorrections'>;
  listing: NamePorts['listing'];
  language: Pick<Language, 'analyse' | 'analyseQuery'>;
  /** Where the reader takes part. */
  read?: Read | undefined;
}

/**
 * candidates → their neighbours → rank → what holds → choose. It starts again, once, when a candidate is
 * erased meanwhile.
 */
export const makeSearch = (ports: SearchPorts) => {
  const rankCandidates = makeRankCandidates(ports);
  const readHolding = traced('what holds', readWhatHolds);
  const chosenHits = traced('choose', chooseHits);
  // A thread has the signal of a deadline, and not its clock.
  return async (request: SearchRequest, deadline?: Pick<Deadline, 'signal'>): Promise<SearchResult> => {
    const { scope, q, kinds, topK, quotedTopK, explain } = request;
    const signal = deadline?.signal;
    const details: SearchPorts['details'] = {
      ...ports.details,
      observationsOf: readOnce((scope, turnIds) => ports.details.observationsOf(scope, turnIds, signal)),
      entitiesOf: (scope, turnIds) => ports.details.entitiesOf(scope, turnIds, signal),
    };
    const names = makeRecallNames(ports, scope, signal);
    for (let attempt = 1; attempt <= 2; attempt++) {
      const ranked = await rankCandidates(request, signal);
      signal?.throwIfAborted();
      const held = await readHolding({ ...ports, details, names }, request, ranked, signal);
      const wanted = { scope, q, kinds: new Set(kinds), topK, explain, isShown: held.isShown };
      const choose = (more: Partial<typeof wanted> = {}) =>
        chosenHits({ ...ports, details, names }, held.ranking, { ...wanted, ...more });
      const chosen = await choose();
      const quoted = quotedTopK === undefined ? chosen : await choose({ topK: quotedTopK, explain: false });
      if (chosen === 'erased' || quoted === 'erased') continue;
      const tells = request.timeline && kinds.includes('observation');
      const facts = tells ? await factsOf(details, scope, chosen) : undefined;
      const holding = held.holding(quoted);
      const isNested = kinds.includes('turn') && kinds.includes('observation');
      const nested = isNested ? await withNested(chosen, scope, details.observationsOf, held) : chosen;
      const withPart = makeWithPart();
      const shown = (hit: ChosenHit): ChosenHit => withSubject(withState(withPart(hit), held), held);
      return {
        chosen: nested.map(shown),
        // A prompt gets the current facts, not those that its own first lines contradict.
        quoted: quoted.filter(hit => held.isPast || held.noLonger(hit) === undefined).map(withPart),
        holding,
        confidence: held.confidence,
        without: [
          ...(ranked.isNotReranked ? (['rerank'] as const) : []),
          ...(held.isUnread ? (['reader'] as const) : []),
        ],
        ...(facts && { facts: facts.filter(({ id }) => held.isShown(id)) }),
      };
    }
    throw new Error('what was found was erased before it was read, twice');
  };
};

const withSubject = (hit: ChosenHit, held: WhatHolds): ChosenHit => {
  if (hit.kind === 'observation') return { ...hit, fragment: held.withSubject(hit.fragment) };
  if (hit.kind !== 'turn' || hit.observations === undefined) return hit;
  const observations = hit.observations.map(one => ({ ...one, fragment: held.withSubject(one.fragment) }));
  return { ...hit, observations };
};

const withState = (hit: ChosenHit, held: WhatHolds): ChosenHit => {
  if (hit.kind === 'entity') return hit;
  const noLonger = held.noLonger(hit);
  const told = noLonger ? { ...hit, noLonger } : hit;
  if (told.kind === 'turn') {
    const later = noLonger ? undefined : held.laterThan(hit);
    return later === undefined ? told : { ...told, later };
  }
  const disputedBy = held.disputedBy(told.fragment.id);
  return disputedBy ? { ...told, disputedBy } : told;
};

/** The observations extracted from the turns among the hits, whether or not they are hits themselves. */
const factsOf = async (
  details: Pick<TurnDetails, 'observationsOf'>,
  scope: Scope,
  chosen: readonly ChosenHit[],
): Promise<StoredFragment[]> => {
  const turns = chosen.flatMap(hit => (hit.kind === 'turn' ? [hit.fragment.id] : []));
  return turns.length === 0 ? [] : details.observationsOf(scope, turns);
};

/**
 * Ranks candidates from the index and the tail with the one pure ranker and, where one is configured, a model
 * that reads the best.
 */
export const makeRankCandidates = (ports: RankPorts) => {
  const rankPlainly = makeRankPlainly(ports);
  return async (
    asked: Parameters<typeof rankPlainly>[0],
    signal?: AbortSignal,
  ): Promise<RankedCandidates> => {
    const ranking = await rankPlainly(asked, signal);
    if (!ports.rerankBest) return ranking;
    const ranked = await ports.rerankBest(asked.q, ranking, signal);
    return ranked ? { ...ranking, ranked } : { ...ranking, isNotReranked: true };
  };
};

const makeRankPlainly = ({ retrieval, language }: RankPorts) => {
  const rankAll = traced('rank', rank);
  return async (
    {
      scope,
      q,
      mode,
      tail,
      embedded,
      moment,
      utcOffset,
    }: Pick<SearchRequest, 'scope' | 'q' | 'mode' | 'tail' | 'embedded' | 'moment' | 'utcOffset'>,
    signal?: AbortSignal,
  ): Promise<RankedCandidates> => {
    const first = await retrieval.retrieve(
      scope,
      (speakers, extent) => language.analyseQuery(q, speakers, { moment, utcOffset, extent }),
      tail,
      signal,
    );
    const { query, statistics, snapshot, complete } = first;
    const plain = prepare(query, statistics, first.candidates);
    const readModel = makeReadModel(retrieval, embedded);
    const models = await readModel(snapshot, first.candidates);
    const repeats = makeRepeats(q, statistics.speakers);
    const leavesOut = leavesOutRepeats(statistics.speakers);
    const isRanked = (one: Candidate): boolean => !leavesOut || one.kind !== 'turn' || !repeats(wholeOf(one));
    const candidates = (await surrounded(retrieval, { ...plain, models }, first, first.candidates)).filter(
      isRanked,
    );
    const prepared: Prepared = { ...plain, models: await readModel(snapshot, candidates, models) };
    const ranked = rankAll(prepared, candidates);
    if (mode === 'active') {
      return {
        prepared,
        ranked,
        confidence: confidence(query, withoutRepeats(ranked, repeats), statistics),
        follows: one => followsRepeat(one, repeats),
        fragments: keys => retrieval.fragments(snapshot, keys),
      };
    }

    // The second hop searches for the topics of the first hits; its candidates are ranked by the original
    // query.
    signal?.throwIfAborted();
    const second = complete
      ? undefined
      : await retrieval.retrieve(scope, () => secondHop(query, ranked), tail, signal);
    const known = new Set(candidates.map(candidate => candidate.key));
    const added = second?.candidates.filter(candidate => !known.has(candidate.key)) ?? [];
    let all = prepared;
    let more: Candidate[] = [];
    if (second) {
      const later = await readModel(second.snapshot, added, prepared.models);
      more = (await surrounded(retrieval, { ...plain, models: later }, second, added)).filter(isRanked);
      all = { ...plain, models: await readModel(second.snapshot, more, later) };
    }
    const ranking = rankDeep(all, [...candidates, ...more], ranked);
    return {
      prepared: all,
      ranked: ranking,
      confidence: confidence(query, withoutRepeats(ranking, repeats), statistics, 'deep'),
      follows: one => followsRepeat(one, repeats),
      fragments: async keys => {
        const { first = [], later = [] } = Object.groupBy(keys, key => (known.has(key) ? 'first' : 'later'));
        const found = await retrieval.fragments(snapshot, first);
        return second ? new Map([...found, ...(await retrieval.fragments(second.snapshot, later))]) : found;
      },
    };
  };
};

/** Adds the neighbouring turns to the candidates: to all in a small scope, to the best in a large one. */
const surrounded = async (
  retrieval: Retrieval,
  prepared: Prepared,
  { complete, snapshot }: Retrieved,
  candidates: readonly Candidate[],
): Promise<Candidate[]> => {
  const best = complete
    ? candidates
    : rank(prepared, candidates)
        .slice(0, SHORTLIST)
        .map(({ candidate }) => candidate);
  const around = await retrieval.surround(
    snapshot,
    best.map(({ key }) => key),
  );
  return candidates.map(candidate => ({
    ...candidate,
    neighbours: around.get(candidate.key) ?? NO_NEIGHBOURS,
  }));
};
