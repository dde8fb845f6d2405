/** Secrets that nobody has: each is put together here, so that no scanner of this repository finds one. */
const DIGITS = '0123456789';
const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const MIXED = `${LETTERS}${LETTERS.toUpperCase()}${DIGITS}`;

/** Characters of an alphabet, the same ones each time. */
const of = (alphabet: string, length: number): string =>
  Array.from({ length }, (_, i) => alphabet[(i * 7 + 3) % alphabet.length]).join('');

const PEM = [
  '-----BEGIN RSA PRIVATE KEY-----',
  of(`${MIXED}+/`, 64),
  of(`${MIXED}+/`, 64),
  `${of(MIXED, 22)}==`,
  '-----END RSA PRIVATE KEY-----',
];
const ENCRYPTED = [PEM[0], 'Proc-Type: 4,ENCRYPTED', 'DEK-Info: AES-128-CBC,1F2E', '', ...PEM.slice(1)];
const PGP = [
  '-----BEGIN PGP PRIVATE KEY BLOCK-----',
  'Version: GnuPG v2',
  '',
  of(MIXED, 64),
  '=aB3d',
  '-----END PGP PRIVATE KEY BLOCK-----',
];

/** By rule. */
export const SECRETS: Readonly<Record<string, readonly string[]>> = {
  'private-key': [
    PEM.join('\n'),
    PEM.join('\r\n'),
    PEM.join('\\n'),
    PEM.slice(0, 3).join('\n'),
    ENCRYPTED.join('\n'),
    PGP.join('\n'),
  ],
  jwt: [`eyJ${of(MIXED, 33)}.eyJ${of(MIXED, 60)}.${of(`${MIXED}-_`, 43)}`],
  'aws-access-key': [`AKIA${of(`${LETTERS.toUpperCase()}234567`, 16)}`, `ASIA${of(MIXED.toUpperCase(), 16)}`],
  'github-token': [
    `ghp_${of(MIXED, 36)}`,
    `gho_${of(MIXED, 36)}`,
    `github_pat_${of(MIXED, 22)}_${of(MIXED, 59)}`,
  ],
  'gitlab-token': [`glpat-${of(`${MIXED}-_`, 20)}`],
  'slack-token': [
    `xoxb-${of(DIGITS, 12)}-${of(DIGITS, 13)}-${of(MIXED, 24)}`,
    `xapp-1-A${of(DIGITS, 10)}-${of(DIGITS, 13)}-${of(MIXED, 40)}`,
  ],
  'stripe-key': [`sk_live_${of(MIXED, 24)}`, `rk_test_${of(MIXED, 99)}`, `whsec_${of(MIXED, 32)}`],
  'llm-key': [
    `sk-${of(MIXED, 48)}`,
    `sk-proj-${of(`${MIXED}-_`, 120)}`,
    `sk-ant-api03-${of(`${MIXED}-_`, 93)}AA`,
    `hf_${of(LETTERS, 34)}`,
  ],
  'google-key': [`AIza${of(`${MIXED}-_`, 35)}`, `GOCSPX-${of(MIXED, 28)}`, `ya29.${of(`${MIXED}-_`, 150)}`],
  'other-key': [
    `npm_${of(MIXED, 36)}`,
    `SG.${of(MIXED, 22)}.${of(MIXED, 43)}`,
    `dop_v1_${of('0123456789abcdef', 64)}`,
    `shpat_${of('0123456789abcdef', 32)}`,
    `AGE-SECRET-KEY-1${of(MIXED.toUpperCase(), 58)}`,
    `123456789:AA${of(MIXED, 33)}`,
  ],
  'turnstone-key': [`ts_${of('0123456789abcdef', 16)}_${of(`${MIXED}-_`, 43)}`],
  'card-number': [
    '4111111111111111',
    '4111 1111 1111 1111',
    '5555-5555-5555-4444',
    '2223003122003222',
    '378282246310005',
    '3782 822463 10005',
    '6011111111111117',
    '30569309025904',
    '3530111333300000',
    '6200000000000005',
  ],
  iban: [
    'DE89370400440532013000',
    'DE89 3704 0044 0532 0130 00',
    'GB82WEST12345698765432',
    'NO9386011117947',
  ],
};

/** By rule: what is before the secret and stays, the secret, and what is behind it. */
export const IN_PLACE: Readonly<Record<string, readonly (readonly [string, string, string])[]>> = {
  'password-in-url': [
    ['postgres://app:', 'hunter2', '@db.internal:5432/main'],
    ['redis://:', of(MIXED, 30), '@10.0.0.7'],
    ['https://ada:', 'p@ss:w%20rd', '@[::1]/x'],
  ],
  'aws-secret-key': [
    ['aws_secret_access_key = ', of(`${MIXED}/+`, 40), ''],
    ['"SecretAccessKey": "', of(`${MIXED}/+`, 40), '"'],
  ],
  'slack-webhook': [
    ['https://hooks.slack.com/services/', `T0${of(MIXED, 8)}/B0${of(MIXED, 8)}/${of(MIXED, 24)}`, ''],
  ],
  'other-key': [['AccountKey=', `${of(`${MIXED}+/`, 86)}==`, ';EndpointSuffix=core.windows.net']],
  'authorization-header': [
    ["curl -H 'Authorization: Bearer ", of(MIXED, 30), "'"],
    ['authorization: basic ', 'YWRhOmxvdmVsYWNl', ''],
  ],
  'assigned-secret': [
    ['const password = "', 'hunter2', '";'],
    ['{"api_key": "', 'a1b2c3d4e5', '"}'],
    ['DB_PASSWORD=', 'correct-horse-7', '\nDB_HOST=db'],
    ['export TOKEN="', 'abc123def', '"'],
  ],
};
