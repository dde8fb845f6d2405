/**
 * `npm run fit:models -- FILE... --embeddings URL --model NAME [--query-prefix P] [--passage-prefix P]
 * [--dry]`: fits an embedding model's addition to the ranker's own sum, reports it with one conversation left
 * out at a time, and writes model-weights.json (not with --dry). Run it after `npm run fit`, whose weights it
 * keeps: fitting them anew with the model's features lost what these bring.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import type { Embed, EmbeddedAs } from '../../../core/ports.ts';
import { makeLanguage } from '../../../domain/language/language.ts';
import { CHATS } from '../../../domain/ranking/features/chat-kind.ts';
import { DEEP_FEATURES } from '../../../domain/ranking/features/deep-features.ts';
import { MODEL_FEATURES, modelRows } from '../../../domain/ranking/features/model-features.ts';
import models from '../../../domain/ranking/model-weights.json' with { type: 'json' };
import { linearSums, WEIGHTS, weightsOf } from '../../../domain/ranking/rank.ts';
import own from '../../../domain/ranking/weights.json' with { type: 'json' };
import { comparedWith, joinedVectors, type TurnVectors } from '../../../domain/search/vectors.ts';
import { openEmbeddings } from '../../../infra/llm/embeddings.ts';
import { EXIT, failure } from '../../../services/surfaces/client/exit.ts';
import { makeEmbedTurns } from '../../../services/workers/embedder/embed-turns.ts';
import { parsedBy, runCommand, wrongUsage } from '../command.ts';
import { readDataset } from '../datasets/read-dataset.ts';
import { pairedBootstrap } from '../measure/bootstrap.ts';
import { MODES, type Mode } from '../measure/measure.ts';
import { offlineScope } from '../offline.ts';
import { deepSums, descending, type Example, makeExamples, metricsOf, scoredBy } from './examples.ts';
import { fitListwise } from './listwise.ts';
import { rounded } from './rounded.ts';
import { scoreCurve } from './score-curve.ts';

const USAGE =
  'usage: npm run fit:models -- FILE... --embeddings URL --model NAME [--query-prefix P] [--passage-prefix P] [--dry]';
/** Turns without evidence that are shown to the fit: those that the ranker's own sum puts highest. */
const NEGATIVES = 80;
const EXTRA = MODEL_FEATURES.length;
const MEASURES = ['recallAt5', 'recallAt10', 'recallAt15', 'recallAt25'] as const;

/** A question with the ranker's own sums and the rows of model features, by mode. */
interface Fused {
  example: Example;
  own: Record<Mode, Float64Array>;
  rows: Float32Array;
}

/** Returns the ranker's own sums with the weights that ship. */
const ownSums = (example: Example): Record<Mode, Float64Array> => {
  const { chat } = example.prepared;
  const active = scoredBy(example, WEIGHTS[chat]);
  const weights = weightsOf(DEEP_FEATURES, own[chat].deep.weights);
  return { active: active.sums, deep: deepSums(example, active, weights) };
};

const embedAll = async (
  embed: Embed,
  model: string,
  as: EmbeddedAs,
  texts: readonly string[],
): Promise<Int8Array[]> => {
  const found: Int8Array[] = [];
  for (let at = 0; at < texts.length; at += 16) {
    const outcome = await embed.embed(
      { model, as, texts: texts.slice(at, at + 16) },
      new AbortController().signal,
    );
    if (outcome.kind !== 'embedded') throw failure(EXIT.failure, `the endpoint gave ${outcome.reason}`);
    found.push(...outcome.vectors);
  }
  return found;
};

/** Fits the model's weights beside a weight of 1 for the ranker's own sum. */
const fitMode = (fused: readonly Fused[], mode: Mode): Float64Array => {
  const groups = fused.map(({ example, own, rows }) => {
    const evidence = new Set(example.evidence);
    const negatives = descending(own[mode])
      .filter(c => !evidence.has(c))
      .slice(0, NEGATIVES);
    const chosen = [...example.evidence, ...negatives];
    const width = 1 + EXTRA;
    const out = new Float32Array(chosen.length * width);
    for (const [i, c] of chosen.entries()) {
      out[i * width] = own[mode][c]!;
      out.set(rows.subarray(c * EXTRA, (c + 1) * EXTRA), i * width + 1);
    }
    return { rows: out, positives: example.evidence.length };
  });
  const [ofOwn = 1, ...weights] = fitListwise(groups, 1 + EXTRA, {
    prior: [1, ...MODEL_FEATURES.map(() => 0)],
  });
  return Float64Array.from(weights, weight => weight / ofOwn);
};

const sumsWith = ({ own, rows }: Fused, mode: Mode, weights: Float64Array): Float64Array => {
  const added = linearSums(rows, EXTRA, weights);
  return own[mode].map((sum, c) => sum + added[c]!);
};

/** Measures the sums without and with the model, with the interval of the difference (bootstrap.ts). */
const compared = (fused: readonly Fused[], mode: Mode, sumsOf: (one: Fused) => Float64Array) => {
  const tenths = (value: number): number => Math.round(value * 10) / 10;
  const rows = MEASURES.map(measure => {
    const pairs = fused.map(one => ({
      conversation: one.example.conversation,
      before: 100 * metricsOf(one.example, descending(one.own[mode]))[measure],
      after: 100 * metricsOf(one.example, descending(sumsOf(one)))[measure],
    }));
    const strata = [...Map.groupBy(pairs, ({ conversation }) => conversation).values()];
    const { low, high } = pairedBootstrap(strata.map(own => own.map(({ before, after }) => after - before)));
    const mean = (of: 'before' | 'after') => pairs.reduce((sum, pair) => sum + pair[of], 0) / pairs.length;
    const row = {
      without: tenths(mean('before')),
      with: tenths(mean('after')),
      low: tenths(low),
      high: tenths(high),
    };
    return [measure, row] as const;
  });
  return Object.fromEntries(rows);
};

await runCommand('fit:models', async () => {
  const { values, positionals: files } = parsedBy(() =>
    parseArgs({
      allowPositionals: true,
      options: {
        embeddings: { type: 'string' },
        model: { type: 'string' },
        'query-prefix': { type: 'string', default: '' },
        'passage-prefix': { type: 'string', default: '' },
        dry: { type: 'boolean' },
      },
    }),
  );
  const { embeddings: baseUrl, model } = values;
  if (files.length === 0 || !baseUrl || !model) throw wrongUsage(USAGE);
  const embed = openEmbeddings({
    baseUrl,
    apiKey: process.env.TURNSTONE_EMBEDDINGS_API_KEY,
    dimensions: undefined,
    queryPrefix: values['query-prefix'],
    passagePrefix: values['passage-prefix'],
  });
  const embedTurns = makeEmbedTurns({ embed, model, onState: () => {} });
  const language = makeLanguage(
    readFileSync(new URL('../../../domain/language/vectors/static-vectors.bin', import.meta.url)),
  );
  const datasets = files.map(file => ({ name: basename(file), ...readDataset(file) }));
  const scopes = datasets.flatMap(({ name, conversations }) =>
    conversations.map(conversation => ({ data: name, ...offlineScope(language, conversation) })),
  );

  const fused: Fused[] = [];
  for (const [conversation, scope] of scopes.entries()) {
    const said = scope.texts.map((text, c) => ({ ...scope.candidates[c]!, text, hasExpired: () => false }));
    const given = said.map((turn, c) => {
      const before = said[c - 1];
      return {
        turn,
        before: before?.session === turn.session ? before : undefined,
        hasExpired: () => false,
      };
    });
    const turns = await embedTurns(given, new AbortController().signal);
    const vectors = turns.map(parts => joinedVectors(parts ?? []));
    const questions = await embedAll(
      embed,
      model,
      'query',
      scope.questions.map(({ question }) => question),
    );
    makeExamples(language, [scope]).forEach((example, q) => {
      const query = questions[q]!;
      const compared = comparedWith(query);
      const known = new Map<string, TurnVectors>();
      for (const [c, { id }] of scope.candidates.entries()) {
        const own = compared(vectors[c]!);
        if (own) known.set(id, own);
      }
      const rows = modelRows({ query, turns: known }, scope.candidates);
      fused.push({ example: { ...example, conversation }, own: ownSums(example), rows });
    });
    console.error(`${scope.id}: ${scope.texts.length} turns, ${fused.length} questions so far`);
  }
  const isKept = ({ example: { question, evidence } }: Fused) => question.answerable && evidence.length > 0;
  const kept = fused.filter(isKept);

  const file: Record<string, unknown> = {
    madeBy: 'npm run fit:models',
    madeOn: new Date().toISOString().slice(0, 10),
    model,
    data: datasets.map(({ name, conversations }) => ({
      name,
      conversations: conversations.map(({ id }) => id).join(', '),
      questions: conversations.reduce((sum, { questions }) => sum + questions.length, 0),
    })),
  };
  const byChat: Record<string, Record<string, unknown>> = {};
  for (const chat of CHATS) {
    const ofChat = ({ example }: Fused) => example.prepared.chat === chat;
    const [all, own] = [fused.filter(ofChat), kept.filter(ofChat)];
    // Few chats with an assistant are at hand: their fit uses those of people as well, which alone gave 2
    // points less.
    const shown = chat === 'people' ? own : kept;
    byChat[chat] = {};
    for (const mode of MODES) {
      const without = (out: number) =>
        fitMode(
          shown.filter(({ example }) => example.conversation !== out),
          mode,
        );
      const held = new Map(
        [...new Set(all.map(({ example }) => example.conversation))].map(out => [out, without(out)]),
      );
      const heldSums = (one: Fused) => sumsWith(one, mode, held.get(one.example.conversation)!);
      const leaveOneOut = compared(own, mode, heldSums);
      console.log(`\n${chat}, ${mode}, one conversation left out, percent`);
      console.table(leaveOneOut);
      const weights = fitMode(shown, mode);
      byChat[chat][mode] = {
        score: scoreCurve(all.map(one => ({ ...one.example, sums: heldSums(one) }))),
        weights: Object.fromEntries(MODEL_FEATURES.map((name, f) => [name, rounded(weights[f]!)])),
        questions: own.length,
        leaveOneOut,
      };
    }
  }
  file.embeddings = byChat;
  file.rerank = models.rerank;
  if (values.dry) return;
  const path = new URL('../../../domain/ranking/model-weights.json', import.meta.url);
  writeFileSync(path, `${JSON.stringify(file, null, 2)}\n`);
});
