/**
 * Secrets by their shapes. One list: the service replaces by it, and `npm run docs:reference` publishes it as
 * docs/reference/screening.md. A changed list gets another `RULES_VERSION`.
 *
 * The shapes of keys follow what their issuers document and the rules of gitleaks (MIT). Each pattern costs
 * time in proportion to the text: repetitions before something that can fail are bounded, and no text can be
 * read in two ways by one of them (test/unit/domain/screening/screen.test.ts).
 */
import { endOfCard } from './card-number.ts';
import { endOfIban } from './iban.ts';

export interface Rule {
  /** Stands in the placeholder: lower case and hyphens. */
  name: string;
  /** Says in a sentence what it finds; published. */
  finds: string;
  /**
   * Global. The group `secret`, which ends where the match ends, is what is replaced; without it all of the
   * match is.
   */
  pattern: RegExp;
  /** Returns where the secret ends, which the pattern only begins; undefined: it is none. */
  endOf?: (text: string, start: number, end: number) => number | undefined;
  /** A text without any of these has none of its secrets, and isn't searched. In lower case. */
  hints?: readonly string[];
}

export const RULES_VERSION = 'secrets-1';

/** Nothing that could be a longer word or id before it. */
const ALONE = '(?<![A-Za-z0-9_-])';
/** A digit among the next characters: names of things have none. */
const WITH_DIGIT = '(?=[A-Za-z_-]{0,200}\\d)';
/** A line break, as it is or as it is written in JSON and in variables. */
const BREAK = '(?:\\s|\\\\[nr])';

const rule = (name: string, finds: string, pattern: string, ...hints: string[]): Rule => ({
  name,
  finds,
  pattern: new RegExp(pattern, 'g'),
  hints,
});

/** In the order in which they are applied. */
export const RULES: readonly Rule[] = [
  rule(
    'private-key',
    'A private key in PEM or PGP armour, also one that was cut off, and also with `\\n` for its line breaks.',
    `-----BEGIN (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----${BREAK}*` +
      `(?:(?:[A-Za-z-]{1,30}: [^\\r\\n\\\\]{0,200}(?:\\r?\\n|\\\\n)){1,8}${BREAK}*)?` +
      `[A-Za-z0-9+/=]{40,}(?:${BREAK}+[A-Za-z0-9+/=]{16,})*` +
      `(?:(?:${BREAK}+[A-Za-z0-9+/=]{1,80})?${BREAK}*-----END (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----)?`,
    'private key',
  ),
  rule(
    'jwt',
    'A JSON Web Token: header, payload and signature.',
    `${ALONE}eyJ[\\w-]{10,}\\.eyJ[\\w-]{10,}\\.[\\w-]{10,}`,
    '.eyj',
  ),
  {
    name: 'password-in-url',
    finds:
      'The password in `scheme://user:password@host`. The rest of the URL stays. Not `$PASSWORD`, `${…}`, `{{…}}`, `<…>` nor asterisks.',
    pattern:
      /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s/?#:@"'<>]{0,128}:(?!\$[A-Z{]|\*+@|\{\{|<|\()(?<secret>[^\s/?#"'<>]{1,256})(?=@[\w[])/gi,
    hints: ['://'],
  },
  rule(
    'aws-access-key',
    'The id of an access key of AWS.',
    `${ALONE}(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Za-z0-9_])`,
    'akia',
    'asia',
    'abia',
    'acca',
  ),
  {
    name: 'aws-secret-key',
    finds: 'Its secret: 40 characters behind a name such as `aws_secret_access_key`, and `=` or `:`.',
    pattern:
      /secret_?(?:access_?)?key["']?\s{0,4}[:=]\s{0,4}["']?(?<secret>[A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])/gi,
    hints: ['secret'],
  },
  rule(
    'github-token',
    'A token of GitHub: `ghp_`, `gho_`, `ghu_`, `ghs_`, `ghr_`, `github_pat_`.',
    `${ALONE}(?:gh[pousr]_[A-Za-z0-9]{36,255}|github_pat_[A-Za-z0-9_]{22,255})`,
    'ghp_',
    'gho_',
    'ghu_',
    'ghs_',
    'ghr_',
    'github_pat_',
  ),
  rule(
    'gitlab-token',
    'A token of GitLab: `glpat-`, `gldt-`, `glrt-`.',
    `${ALONE}gl(?:pat|dt|rt)-${WITH_DIGIT}[\\w-]{20,255}`,
    'glpat-',
    'gldt-',
    'glrt-',
  ),
  rule(
    'slack-token',
    'A token of Slack (`xoxb-`, `xoxp-`, …, `xapp-`).',
    `${ALONE}(?:xox[a-z]|xapp)-${WITH_DIGIT}[A-Za-z0-9-]{10,255}`,
    'xox',
    'xapp-',
  ),
  rule(
    'slack-webhook',
    'The secret path of a webhook of Slack. The host stays.',
    'hooks\\.slack\\.com/(?:services|workflows|triggers)/(?<secret>[A-Za-z0-9+/]{40,80})',
    'hooks.slack.com',
  ),
  rule(
    'stripe-key',
    'A secret or restricted key of Stripe, or the secret of a webhook: `sk_live_`, `sk_test_`, `rk_live_`, `rk_test_`, `whsec_`. Not a publishable key (`pk_`).',
    `${ALONE}(?:[sr]k_(?:live|test)_[A-Za-z0-9]{16,255}|whsec_[A-Za-z0-9+/=]{32,255})`,
    'k_live_',
    'k_test_',
    'whsec_',
  ),
  rule(
    'llm-key',
    "A key of OpenAI, Anthropic, OpenRouter and those who took their shape: `sk-` and 20 letters and digits, or `sk-proj-`, `sk-ant-`, `sk-svcacct-`, `sk-admin-`, `sk-or-v1-` with as many; a digit among them. Hugging Face's `hf_`.",
    `${ALONE}(?:sk-(?:ant|proj|svcacct|admin|or-v1)-${WITH_DIGIT}[\\w-]{20,255}|sk-(?=[A-Za-z]{0,200}\\d)[A-Za-z0-9]{20,255}(?![\\w-])|hf_[A-Za-z0-9]{34}(?!\\w))`,
    'sk-',
    'hf_',
  ),
  rule(
    'google-key',
    'An API key of Google (`AIza`), a client secret (`GOCSPX-`) or an access token (`ya29.`).',
    `${ALONE}(?:AIza[\\w-]{35}(?![\\w-])|GOCSPX-[\\w-]{28}(?![\\w-])|ya29\\.[\\w-]{20,512})`,
    'aiza',
    'gocspx-',
    'ya29.',
  ),
  rule(
    'other-key',
    'Keys of npm (`npm_`), PyPI (`pypi-`), SendGrid (`SG.`), DigitalOcean (`dop_v1_`), Shopify (`shpat_`, `shpca_`, `shppa_`, `shpss_`), Azure storage (`AccountKey=`), age (`AGE-SECRET-KEY-1`), and of bots of Telegram.',
    `${ALONE}(?:npm_[A-Za-z0-9]{36}(?!\\w)|pypi-AgEIcHlwaS5vcmc[\\w-]{50,512}|SG\\.[\\w-]{22}\\.[\\w-]{43}(?![\\w-])|do[por]_v1_[a-f0-9]{64}(?![\\w-])|shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}(?![\\w-])|AccountKey=(?<secret>[A-Za-z0-9+/]{86}==)|AGE-SECRET-KEY-1[0-9A-Z]{58}(?![\\w-])|\\d{8,10}:AA[\\w-]{33}(?![\\w-]))`,
    'npm_',
    'pypi-',
    'sg.',
    '_v1_',
    'shpat_',
    'shpca_',
    'shppa_',
    'shpss_',
    'accountkey=',
    'age-secret-key-',
    ':aa',
  ),
  rule('turnstone-key', 'A key of Turnstone: `ts_`.', `${ALONE}ts_[0-9a-f]{16}_[\\w-]{43}(?![\\w-])`, 'ts_'),
  {
    name: 'authorization-header',
    finds: 'What stands behind `Authorization: Bearer`, `Basic` or `Token`.',
    pattern:
      /\bauthorization["']?\s{0,4}[:=]\s{0,4}["']?(?:bearer|basic|token)\s{1,4}(?<secret>[A-Za-z0-9._~+/=-]{11,4095}[A-Za-z0-9_~+/=-])/gi,
    hints: ['authorization'],
  },
  {
    name: 'assigned-secret',
    finds:
      'A quoted value of 6 to 200 characters with a digit and no space behind `password`, `passwd`, `passphrase`, `pwd`, `secret`, `api_key`, `access_key` or `token` and `=` or `:`, as in code and JSON. Behind such a name in capitals and `=` also without quotes. Not `$NAME`, `${…}`, `{{…}}` nor `<…>`.',
    pattern:
      /(?:(?:[Pp]ass(?:word|wd|phrase)|[Pp]wd|[Ss]ecret|[Aa]pi[_-]?[Kk]ey|[Aa]ccess[_-]?[Kk]ey|[Tt]oken)["']?\s{0,4}(?:=>|:=|[:=])\s{0,4}["'](?![$<{(])(?=[^\s"']{0,200}\d)(?<secret>(?:(?!\(secret: )[^\s"']){6,200})(?=["'])|(?:PASS(?:WORD|WD|PHRASE)|PWD|SECRET|API_?KEY|ACCESS_?KEY|TOKEN)["']?\s{0,4}[:=]\s{0,4}["']?(?![$<{(])(?=[^\s"']{0,200}\d)(?<secret>(?:(?!\(secret: )[^\s"']){6,200}))/g,
    hints: ['pass', 'pwd', 'secret', 'key', 'token'],
  },
  {
    name: 'card-number',
    finds:
      'A payment card of 14 to 16, or 19, digits of Visa, Mastercard, American Express, Discover, Diners, JCB or UnionPay, with the right check digit (Luhn); in one piece or in the groups that are on the card, by spaces or hyphens.',
    pattern:
      /(?<![\w+./-])(?:(?:4\d{3}|5[1-5]\d{2}|2[2-7]\d{2}|6(?:011|4[4-9]\d|5\d{2}|2\d{2})|35\d{2})(?<by>[ -]?)\d{4}\k<by>\d{4}\k<by>\d{4}|3[47]\d{2}(?<ofSix>[ -]?)\d{6}\k<ofSix>\d{5}|3(?:0[0-5]|[68]\d)\d(?<ofFour>[ -]?)\d{6}\k<ofFour>\d{4}|(?:4\d|62)\d{17})(?![\w-]|\.\d)/g,
    endOf: endOfCard,
  },
  {
    name: 'iban',
    finds:
      "An account's IBAN in capitals, of its country's length and with the right check digits (modulo 97); in one piece or in groups by spaces.",
    pattern: /(?<![A-Za-z0-9])[A-Z]{2}\d{2}(?= ?[A-Z0-9]{4})/g,
    endOf: endOfIban,
  },
];
