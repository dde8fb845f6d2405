import type { FragmentHit, RecallAnswer } from '../../core/use-cases.ts';
import { connect } from '../client/connection.ts';
import { EXIT, type ExitStatus } from '../client/exit.ts';
import { print, printable, styled, type Terminal, wrapped } from '../client/terminal.ts';

export interface RecallOptions {
  user?: string;
  session?: string;
  mode?: string;
  topK?: number;
  timeline?: boolean;
  kinds?: string[];
  since?: string;
  until?: string;
  asOf?: string;
  json?: boolean;
}

const WIDEST = 100;

/** A day alone means all of it: from its first millisecond, up to its last one. */
export const instant = (text: string | undefined, timeOfDay: string): string | undefined =>
  text !== undefined && /^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T${timeOfDay}Z` : text;

/** The calibrated probability that the hits hold what was asked, in words. */
export const confidenceInWords = (confidence: number): string => {
  if (confidence >= 0.8) return 'very likely answered';
  if (confidence >= 0.6) return 'likely answered';
  if (confidence >= 0.4) return 'perhaps answered';
  return confidence >= 0.2 ? 'unlikely to be answered' : 'very unlikely to be answered';
};

/** The contract renders a turn as `[date] [role] text`; here both stand in columns of their own. */
export const ownWords = (hit: FragmentHit): string => {
  const undated = hit.text.replace(/^\[\d{4}-\d{2}-\d{2}\] /, '');
  const marker = `[${hit.role}] `;
  return undated.startsWith(marker) ? undated.slice(marker.length) : undated;
};

const day = (hit: FragmentHit): string => new Date(Number(hit.timestamp) * 1_000).toISOString().slice(0, 10);

const fragmentLines = (terminal: Terminal, hit: FragmentHit, number: number, width: number): string[] => {
  const speaker = hit.role ? `${printable(hit.role)}: ` : '';
  const [first = '', ...more] = wrapped(`${speaker}${printable(ownWords(hit))}`, width - 16);
  const origin = [
    hit.kind === 'turn' ? 'turn' : `observation (${hit.source})`,
    `score ${hit.score.toFixed(3)}`,
    printable([hit.user_id, hit.session_id].filter(Boolean).join(' / ')),
  ].join(' · ');
  const indent = ' '.repeat(16);
  return [
    `${String(number).padStart(3)}  ${styled(terminal, 'cyan', day(hit))} ${first}`,
    ...more.map(line => indent + line),
    indent + styled(terminal, 'dim', origin),
  ];
};

const counted = ({ turns, observations, entities }: RecallAnswer['hits']): string =>
  [
    `${turns.length} turn${turns.length === 1 ? '' : 's'}`,
    `${observations.length} observation${observations.length === 1 ? '' : 's'}`,
    `${entities.length} ${entities.length === 1 ? 'entity' : 'entities'}`,
  ].join(', ');

const show = (terminal: Terminal, { hits, confidence, timeline }: RecallAnswer): void => {
  const width = Math.min(WIDEST, terminal.stdout.columns ?? WIDEST);
  const fragments = [...hits.turns, ...hits.observations].sort((a, b) => b.score - a.score);
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

/** `turnstone recall "question"`: the hits in the order of their scores, or the answer itself with `--json`. */
export const recall = async (
  terminal: Terminal,
  question: string,
  options: RecallOptions,
): Promise<ExitStatus> => {
  const client = connect(terminal);
  const answer = (await client.call({
    method: 'POST',
    path: '/recall',
    body: {
      scope: {
        org_id: await client.organization(),
        user_id: options.user,
        session_id: options.session,
      },
      q: question,
      mode: options.mode,
      top_k: options.topK,
      include_timeline: options.timeline,
      kinds: options.kinds,
      since: instant(options.since, '00:00:00.000'),
      until: instant(options.until, '23:59:59.999'),
      as_of: instant(options.asOf, '23:59:59.999'),
    },
    repeatable: true,
  })) as RecallAnswer;
  if (options.json) print(terminal, JSON.stringify(answer, null, 2));
  else show(terminal, answer);
  return EXIT.ok;
};
