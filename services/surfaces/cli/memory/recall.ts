import * as operations from '../../../../clients/typescript/src/operations.ts';
import type { FragmentHit } from '../../../../schemas/http/parts/hits.ts';
import type { Filter } from '../../../../schemas/http/queries/filter.ts';
import { parseInstant } from '../../../../schemas/http/queries/instant.ts';
import type { HIT_KINDS, RecallAnswer } from '../../../../schemas/http/recall.ts';
import { connect } from '../../client/connection.ts';
import { EXIT, type ExitStatus, failure } from '../../client/exit.ts';
import { instant } from '../../client/instant.ts';
import { localOffset } from '../../client/local-time.ts';
import { scopeOf } from '../../client/named-scope.ts';
import { confidenceInWords, cutBefore, factInWords, noLonger, ownWords } from '../../client/recalled.ts';
import { speakersDay } from '../../client/speakers-clock.ts';
import {
  lineWidth,
  print,
  printable,
  printJson,
  styled,
  type Terminal,
  warn,
  wrapped,
} from '../../client/terminal.ts';

export interface RecallOptions {
  user?: string;
  session?: string;
  mode?: 'active' | 'deep';
  topK?: number;
  timeline?: boolean;
  /** Tokens; true: the service's default. */
  context?: number | true;
  kinds?: (typeof HIT_KINDS)[number][];
  since?: string;
  until?: string;
  filter?: Filter;
  ever?: boolean;
  asOf?: string;
  receipt?: boolean;
  /**
   * Long turns as the part that matters. Default: true for people, and what the service does with `--json`.
   */
  passages?: boolean;
  json?: boolean;
}

const WIDEST = 100;

const day = (hit: FragmentHit): string => speakersDay(Number(hit.timestamp) * 1_000, hit.utc_offset);

/** Shown by the part alone: with `--no-passages` the part is within the words. */
const asPart = (hit: FragmentHit, passages: boolean): FragmentHit =>
  passages ? hit : { ...hit, part: undefined };

const fragmentLines = (terminal: Terminal, hit: FragmentHit, number: number, width: number): string[] => {
  const speaker = hit.kind === 'turn' ? `${printable(hit.role)}: ` : '';
  const [first = '', ...more] = wrapped(`${speaker}${cutBefore(hit)}${printable(ownWords(hit))}`, width - 16);
  const since = noLonger(hit);
  const fact = hit.kind === 'observation' ? factInWords(hit) : undefined;
  const details = [
    hit.kind === 'turn' ? 'turn' : `observation (${hit.source})`,
    fact && printable(fact),
    since,
    hit.part && 'part of it',
    `score ${hit.score.toFixed(3)}`,
    printable([hit.user_id, hit.session_id].filter(Boolean).join(' / ')),
  ]
    .filter(Boolean)
    .join(' · ');
  const indent = ' '.repeat(16);
  return [
    `${String(number).padStart(3)}  ${styled(terminal, 'cyan', day(hit))} ${first}`,
    ...more.map(line => indent + line),
    indent + styled(terminal, 'dim', details),
  ];
};

const counted = ({ turns, observations, entities }: RecallAnswer['hits']): string =>
  [
    `${turns.length} turn${turns.length === 1 ? '' : 's'}`,
    `${observations.length} observation${observations.length === 1 ? '' : 's'}`,
    `${entities.length} ${entities.length === 1 ? 'entity' : 'entities'}`,
  ].join(', ');

const show = (terminal: Terminal, { hits, confidence, timeline }: RecallAnswer, passages: boolean): void => {
  const width = lineWidth(terminal, WIDEST);
  const fragments = [...hits.turns, ...hits.observations]
    .sort((a, b) => b.score - a.score)
    .map(hit => asPart(hit, passages));
  if (fragments.length + hits.entities.length === 0) {
    print(terminal, 'Nothing found.');
    return;
  }
  const heading = `${confidenceInWords(confidence)} (confidence ${confidence.toFixed(2)})`;
  print(terminal, `${styled(terminal, 'bold', heading)}: ${counted(hits)}`);
  for (const [index, hit] of fragments.entries()) {
    print(terminal);
    for (const line of fragmentLines(terminal, hit, index + 1, width)) print(terminal, line);
  }
  if (hits.entities.length > 0) {
    const labels = hits.entities.map(({ label }) => printable(label)).join(', ');
    print(terminal);
    for (const line of wrapped(`Entities: ${labels}`, width)) print(terminal, line);
  }
  if (timeline) {
    print(terminal);
    print(terminal, styled(terminal, 'bold', 'Timeline'));
    for (const line of timeline.split('\n')) print(terminal, `  ${printable(line)}`);
  }
};

/** With a context no hits are requested, so that only the context is billed. */
const contextMembers = (context: number | true | undefined) =>
  context === undefined
    ? {}
    : {
        include_context: true,
        context_max_tokens: context === true ? undefined : context,
        include_hits: false,
      };

/** The context alone, so that it can be piped into a prompt. */
const showContext = (terminal: Terminal, { context }: RecallAnswer): void => {
  for (const line of (context ?? 'Nothing found.').split('\n')) print(terminal, printable(line));
};

/** `turnstone recall "question"`: the hits by score; with `--json` the answer unchanged. */
export const recall = async (
  terminal: Terminal,
  question: string,
  options: RecallOptions,
): Promise<ExitStatus> => {
  const since = instant(options.since, '00:00:00.000');
  const until = instant(options.until, '23:59:59.999');
  if (since !== undefined && until !== undefined && parseInstant(since)! > parseInstant(until)!)
    throw failure(EXIT.usage, '--until must not be before --since');
  const client = connect(terminal);
  const answer = await client.call(
    operations.recall({
      scope: scopeOf(options),
      q: question,
      mode: options.mode,
      top_k: options.topK,
      include_timeline: options.timeline,
      ...contextMembers(options.context),
      kinds: options.kinds,
      since,
      until,
      filter: options.filter,
      holds: options.ever ? 'ever' : undefined,
      as_of: instant(options.asOf, '23:59:59.999'),
      utc_offset: localOffset(Date.now()),
      receipt: options.receipt,
      passages: options.passages ?? (options.json ? undefined : true),
    }),
  );
  if (options.json) printJson(terminal, answer, 2);
  else if (options.context !== undefined) showContext(terminal, answer);
  else show(terminal, answer, options.passages ?? true);
  if (answer.degraded && !options.json)
    warn(
      terminal,
      `ranked without ${answer.degraded.map(printable).join(' and ')}: it did not answer in time`,
    );
  // Not among the hits or the context, which may be piped into a prompt.
  if (answer.receipt_id !== undefined && !options.json)
    warn(terminal, `the receipt: ${printable(answer.receipt_id)}`);
  return EXIT.ok;
};
