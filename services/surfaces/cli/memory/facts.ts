import * as operations from '../../../../clients/typescript/src/operations.ts';
import type { FactItem } from '../../../../schemas/http/items.ts';
import type { Filter } from '../../../../schemas/http/queries/filter.ts';
import { connect } from '../../client/connection.ts';
import { EXIT, type ExitStatus, failure } from '../../client/exit.ts';
import { instant } from '../../client/instant.ts';
import { print, printable, printJson, styled, type Terminal } from '../../client/terminal.ts';
import { shortened, table } from '../table.ts';

export interface FactsOptions {
  q?: string;
  user?: string;
  session?: string;
  subject?: string;
  value?: string;
  attribute?: string;
  filter?: Filter;
  ever?: boolean;
  asOf?: string;
  json?: boolean;
}

/** The most that the service lists in one page. */
const PAGE = 200;

const day = (instant: string): string => instant.slice(0, 10);

/** `client, 3 turns`: who says so, and in how many turns. */
const sourceOf = ({ source, source_turn_ids: { length } }: FactItem): string =>
  length > 1 ? `${source}, ${length} turns` : source;

/** `budget (laptop)`. */
const attributeOf = ({ attribute, about }: FactItem): string =>
  about === null ? printable(attribute) : `${printable(attribute)} (${shortened(about)})`;

/** A plan that has not begun, or a value that something contradicts. */
const stateOf = ({ stance, valid_from, disputed_by }: FactItem): string => {
  const isPlanned = stance === 'plan' && valid_from !== null && Date.parse(valid_from) > Date.now();
  return isPlanned ? ' (planned)' : disputed_by.length > 0 ? ' (in doubt)' : '';
};

/** By subject, then attribute; a value that held before stands above the one that follows. */
const bySubject = (facts: readonly FactItem[]): FactItem[] =>
  facts.toSorted(
    (a, b) =>
      a.subject.label.localeCompare(b.subject.label, 'en') ||
      a.subject.id.localeCompare(b.subject.id, 'en') ||
      attributeOf(a).localeCompare(attributeOf(b), 'en'),
  );

/** A subject or an attribute is named in its first row only. */
const rowsOf = (facts: readonly FactItem[]): string[][] =>
  facts.map((fact, index, sorted) => {
    const before = sorted[index - 1];
    const isSameSubject = before?.subject.id === fact.subject.id;
    return [
      isSameSubject ? '' : shortened(fact.subject.label),
      isSameSubject && before && attributeOf(before) === attributeOf(fact) ? '' : attributeOf(fact),
      `${shortened(fact.value)}${stateOf(fact)}`,
      fact.valid_from === null ? '' : day(fact.valid_from),
      fact.valid_until === null ? '' : day(fact.valid_until),
      sourceOf(fact),
    ];
  });

const show = (terminal: Terminal, facts: readonly FactItem[]): void => {
  if (facts.length === 0) {
    print(terminal, 'Nothing is known.');
    return;
  }
  const heading = ['subject', 'attribute', 'value', 'since', 'until', 'source'];
  const [first = '', ...rows] = table(heading, rowsOf(facts));
  print(terminal, styled(terminal, 'bold', first));
  for (const row of rows) print(terminal, row);
};

/** `turnstone facts`: what holds, as a table; with `--ever` what held before, too. */
export const facts = async (terminal: Terminal, options: FactsOptions): Promise<ExitStatus> => {
  const client = connect(terminal);
  const { roles, strict } = await client.me();
  if (options.user === undefined && roles.includes('*') && !strict)
    throw failure(EXIT.usage, '--user is required: this key may name any user');
  const asOf = instant(options.asOf, '23:59:59.999');
  const found: FactItem[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await client.call(
      operations.listFacts({
        user_id: options.user,
        session_id: options.session,
        subject: options.subject,
        value: options.value,
        attribute: options.attribute,
        q: options.q,
        filter: options.filter && JSON.stringify(options.filter),
        holds: options.ever ? 'ever' : undefined,
        as_of: asOf,
        limit: PAGE,
        cursor,
      }),
    );
    found.push(...page.facts);
    cursor = page.next_cursor;
  }
  if (options.json) printJson(terminal, { facts: found }, 2);
  // What has words is in the order of its rank.
  else show(terminal, options.q === undefined ? bySubject(found) : found);
  return EXIT.ok;
};
