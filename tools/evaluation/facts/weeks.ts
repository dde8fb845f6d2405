/** Weeks of chats over HTTP: what is known of them, and what answers questions about them. */
import * as operations from '../../../clients/typescript/src/operations.ts';
import { makeClient } from '../../../services/surfaces/client/client.ts';
import { connect } from '../client.ts';
import { auroc } from '../measure/metrics.ts';
import { startOwnServer } from '../own-server.ts';
import { type Asked, askWeek, BUDGETS } from './ask-week.ts';
import { readWeeks, type Week } from './read-weeks.ts';
import { isHeld, isKnown, type ListedFact } from './weigh-facts.ts';

/** The closed half: its items are counted and never shown. */
const CLOSED: ReadonlySet<string> = new Set(['work', 'student']);

interface Measured {
  week: Week;
  asked: readonly Asked[];
  known: readonly { row: Week['known'][number]; known: boolean }[];
  notSo: readonly { row: Week['notSo'][number]; held: boolean }[];
}

type Api = ReturnType<typeof makeClient>;

const factsOf = async (api: Api, user: string, holds: 'now' | 'ever'): Promise<ListedFact[]> => {
  const facts: ListedFact[] = [];
  let cursor: string | undefined;
  do {
    const page = await api.call(
      operations.listFacts({ user_id: user, holds, ...(cursor !== undefined && { cursor }) }),
    );
    facts.push(...page.facts);
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined);
  return facts;
};

const share = (part: number, all: number): string => `${part}/${all} ${((100 * part) / all).toFixed(0)} %`;

const printed = (name: string, all: readonly Measured[]): string => {
  const asked = all.flatMap(one => one.asked);
  const answered = asked.filter(({ question }) => question.answers.length > 0);
  const of = (is: (one: Asked) => boolean): string => share(answered.filter(is).length, answered.length);
  const rows = all.flatMap(one => one.known);
  const known = (kind: string): string => {
    const some = rows.filter(({ row }) => row.kind === kind);
    return share(some.filter(one => one.known).length, some.length);
  };
  const notSo = all.flatMap(one => one.notSo);
  const measure = auroc(
    asked.map(({ confidence }) => confidence),
    asked.map(({ question }) => (question.answers.length > 0 ? 1 : 0)),
  );
  return [
    `${name}: ${asked.length} questions, ${answered.length} with an answer`,
    `  first hit ${of(({ first }) => first)}; first three ${of(({ three }) => three)}; fact or entity ${of(({ fact }) => fact)}; AUROC ${measure.toFixed(3)}`,
    ...BUDGETS.map(
      budget =>
        `  context of ${budget}: words ${of(({ words }) => words[budget])}; line quoted whole ${of(({ quoted }) => quoted[budget])}`,
    ),
    `  known: ordinary ${known('ordinary')}, hard ${known('hard')}; false and held ${share(notSo.filter(({ held }) => held).length, notSo.length)}`,
  ].join('\n');
};

const show = ({ week, asked, known, notSo }: Measured): void => {
  for (const { question, first, fact, words, confidence, hits, contexts } of asked) {
    const isAbsent = question.answers.length === 0;
    const marks = [first ? 'first' : '', fact ? 'fact' : '', words[300] ? '300' : ''].join(' ');
    console.log(`${week.name}: ${question.question} → ${question.answers.join('; ') || 'absent'}`);
    console.log(`  ${confidence.toFixed(2)} ${marks}`);
    if (isAbsent || !(first && fact)) for (const hit of hits.slice(0, 4)) console.log(`    ${hit}`);
    if (!isAbsent && !words[300]) console.log(`    ${contexts[300].replaceAll('\n', '\n    ')}`);
  }
  for (const { row } of known.filter(one => !one.known))
    console.log(`${week.name}: not known: ${row.of}: ${row.what}: ${row.value} (${row.kind})`);
  for (const { row } of notSo.filter(({ held }) => held))
    console.log(`${week.name}: held: ${row.of}: ${row.what}: ${row.value}`);
};

/** Prints figures of each week and of all, and with `isShown` the items of the open weeks. */
export const measureWeeks = async (isShown: boolean): Promise<void> => {
  const server = await startOwnServer();
  const all: Measured[] = [];
  try {
    const client = await connect(server.baseUrl, server.apiKey);
    const api = makeClient({ url: server.baseUrl, apiKey: server.apiKey });
    for (const week of readWeeks()) {
      const asked = await askWeek(client, week);
      const [ever, now] = await Promise.all(
        (['ever', 'now'] as const).map(holds => factsOf(api, `week-${week.name}`, holds)),
      );
      all.push({
        week,
        asked,
        known: week.known.map(row => ({ row, known: isKnown(row, ever!, week.user) })),
        notSo: week.notSo.map(row => ({ row, held: isHeld(row, now!, week.user) })),
      });
    }
  } finally {
    await server.stop();
  }
  if (isShown) for (const one of all.filter(({ week }) => !CLOSED.has(week.name))) show(one);
  console.log('weeks of chats');
  for (const one of all) console.log(printed(one.week.name, [one]));
  console.log(printed('all', all));
};
