/** Ingestion bodies with one fault each: the status, the place and the type that it must be told as. */

export const turn = { role: 'user', text: 'hello', timestamp: '2026-01-31T10:00:00Z' };
export const good = { scope: { org_id: 'acme' }, turns: [turn] };
export const LONE = '\ud83d';

export const withTurn = (changes: object): object => ({ ...good, turns: [{ ...turn, ...changes }] });
const withScope = (changes: object): object => ({ ...good, scope: { ...good.scope, ...changes } });
const without = (value: object, name: string): object =>
  Object.fromEntries(Object.entries(value).filter(([key]) => key !== name));

type Case = [what: string, body: unknown, status: number, loc: (string | number)[], type: string];

const at = (...steps: (string | number)[]): (string | number)[] => ['body', ...steps];
const inTurn = (...steps: (string | number)[]): (string | number)[] => at('turns', 0, ...steps);

/** Values of every JSON type but the named ones. */
const others = (...types: string[]): [string, unknown][] =>
  (
    [
      ['null', null],
      ['boolean', true],
      ['number', 7],
      ['string', 'x'],
      ['array', [1]],
      ['object', { a: 1 }],
    ] as [string, unknown][]
  ).filter(([type]) => !types.includes(type));

const wrongTypes: Case[] = [
  ...others('object').map(([t, v]): Case => [`body ${t}`, v, 400, at(), 'wrong_type']),
  ...others('object').map(
    ([t, v]): Case => [`scope ${t}`, { ...good, scope: v }, 400, at('scope'), 'wrong_type'],
  ),
  ...others('array').map(
    ([t, v]): Case => [`turns ${t}`, { ...good, turns: v }, 400, at('turns'), 'wrong_type'],
  ),
  ...others('object').map(
    ([t, v]): Case => [`turn ${t}`, { ...good, turns: [v] }, 400, inTurn(), 'wrong_type'],
  ),
  ...['org_id', 'user_id', 'session_id'].flatMap(name =>
    others('string').map(
      ([t, v]): Case => [`${name} ${t}`, withScope({ [name]: v }), 400, at('scope', name), 'wrong_type'],
    ),
  ),
  ...['role', 'text', 'timestamp'].flatMap(name =>
    others('string').map(
      ([t, v]): Case => [`${name} ${t}`, withTurn({ [name]: v }), 400, inTurn(name), 'wrong_type'],
    ),
  ),
  ...others('array').map(
    ([t, v]): Case => [
      `observations ${t}`,
      withTurn({ observations: v }),
      400,
      inTurn('observations'),
      'wrong_type',
    ],
  ),
  ...others('string', 'object').map(
    ([t, v]): Case => [
      `observation ${t}`,
      withTurn({ observations: ['ok', v] }),
      400,
      inTurn('observations', 1),
      'wrong_type',
    ],
  ),
  ...others('string').map(
    ([t, v]): Case => [
      `observation text ${t}`,
      withTurn({ observations: [{ text: v }] }),
      400,
      inTurn('observations', 0, 'text'),
      'wrong_type',
    ],
  ),
  ...others('object').map(
    ([t, v]): Case => [`options ${t}`, { ...good, options: v }, 400, at('options'), 'wrong_type'],
  ),
  ...['write_active', 'write_passive'].flatMap(name =>
    others('boolean').map(
      ([t, v]): Case => [
        `${name} ${t}`,
        { ...good, options: { [name]: v } },
        400,
        at('options', name),
        'wrong_type',
      ],
    ),
  ),
  ...others('object').map(
    ([t, v]): Case => [`metadata ${t}`, { ...good, metadata: v }, 400, at('metadata'), 'wrong_type'],
  ),
];

const missing: Case[] = [
  ['no scope', without(good, 'scope'), 400, at('scope'), 'missing'],
  ['no turns', without(good, 'turns'), 400, at('turns'), 'missing'],
  ['no org_id', { ...good, scope: {} }, 400, at('scope', 'org_id'), 'missing'],
  ...['role', 'text', 'timestamp'].map(
    (name): Case => [
      `no ${name}`,
      { ...good, turns: [turn, without(turn, name)] },
      400,
      at('turns', 1, name),
      'missing',
    ],
  ),
  [
    'no text in an observation',
    withTurn({ observations: [{}] }),
    400,
    inTurn('observations', 0, 'text'),
    'missing',
  ],
];

const values: Case[] = [
  ['no turn', { ...good, turns: [] }, 422, at('turns'), 'too_few'],
  ['1,001 turns', { ...good, turns: Array(1_001).fill(turn) }, 422, at('turns'), 'too_many'],
  ...['org_id', 'user_id', 'session_id'].flatMap((name): Case[] => [
    [`${name} empty`, withScope({ [name]: '' }), 422, at('scope', name), 'too_short'],
    [`${name} of 257`, withScope({ [name]: 'é'.repeat(257) }), 422, at('scope', name), 'too_long'],
    [`${name} not Unicode`, withScope({ [name]: LONE }), 422, at('scope', name), 'not_unicode'],
  ]),
  ['role empty', withTurn({ role: '' }), 422, inTurn('role'), 'too_short'],
  ['role of 65', withTurn({ role: 'a'.repeat(65) }), 422, inTurn('role'), 'too_long'],
  ['role not Unicode', withTurn({ role: `a${LONE}` }), 422, inTurn('role'), 'not_unicode'],
  ...['[user]', 'a[', ']', 'a\nb', '\t', '\u0000', '\u001f', '\u007f', '\u0085', '\u009f'].map(
    (role): Case => [`role ${JSON.stringify(role)}`, withTurn({ role }), 422, inTurn('role'), 'pattern'],
  ),
  ['text empty', withTurn({ text: '' }), 422, inTurn('text'), 'too_short'],
  ['text of 65,537', withTurn({ text: '🎈'.repeat(65_537) }), 422, inTurn('text'), 'too_long'],
  ['text not Unicode', withTurn({ text: `a${LONE}b` }), 422, inTurn('text'), 'not_unicode'],
  ['text of a swapped pair', withTurn({ text: '\udc00\ud800' }), 422, inTurn('text'), 'not_unicode'],
  ...['', 'today', '2026-01-31', '2026-02-30T00:00:00Z', '2026-01-31T00:00:60Z', LONE].map(
    (timestamp): Case => [
      `timestamp ${JSON.stringify(timestamp)}`,
      withTurn({ timestamp }),
      422,
      inTurn('timestamp'),
      'timestamp',
    ],
  ),
  [
    '65 observations',
    withTurn({ observations: Array(65).fill('a') }),
    422,
    inTurn('observations'),
    'too_many',
  ],
  ['empty observation', withTurn({ observations: [''] }), 422, inTurn('observations', 0), 'too_short'],
  [
    'observation of 4,097',
    withTurn({ observations: ['a'.repeat(4_097)] }),
    422,
    inTurn('observations', 0),
    'too_long',
  ],
  [
    'observation not Unicode',
    withTurn({ observations: [LONE] }),
    422,
    inTurn('observations', 0),
    'not_unicode',
  ],
  [
    'empty text of an observation',
    withTurn({ observations: ['a', { text: '' }] }),
    422,
    inTurn('observations', 1, 'text'),
    'too_short',
  ],
  [
    'text of 4,097 of an observation',
    withTurn({ observations: [{ text: 'a'.repeat(4_097) }] }),
    422,
    inTurn('observations', 0, 'text'),
    'too_long',
  ],
  [
    'both options off',
    { ...good, options: { write_active: false, write_passive: false } },
    422,
    at('options'),
    'contradiction',
  ],
];

export const badBodies: readonly Case[] = [...wrongTypes, ...missing, ...values];
