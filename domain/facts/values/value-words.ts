/** Words that are written in several ways, by the one way in which values are compared. */

const NUMBERS =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty'.split(
    ' ',
  );
const TENS = 'thirty forty fifty sixty seventy eighty ninety'.split(' ');

const SPELLINGS: Readonly<Record<string, string>> = {
  euro: 'euros eur',
  dollar: 'dollars usd bucks',
  pound: 'pounds gbp lbs lb',
  yen: 'jpy',
  franc: 'francs chf',
  percent: 'pct',
  kg: 'kilo kilos kilogram kilograms kgs',
  cm: 'centimetre centimetres centimeter centimeters',
  m: 'metre metres meter meters',
  km: 'kilometre kilometres kilometer kilometers kms',
  mile: 'miles mi',
  hour: 'hours hrs hr',
  minute: 'minutes mins',
  month: 'months monthly',
  year: 'years yearly',
  color: 'colour',
  favorite: 'favourite',
  gray: 'grey',
  center: 'centre',
  theater: 'theatre',
  jewelry: 'jewellery',
  yogurt: 'yoghurt',
  whiskey: 'whisky',
  donut: 'doughnut',
  donuts: 'doughnuts',
  pajamas: 'pyjamas',
  aluminum: 'aluminium',
  mom: 'mum mama mommy mummy',
  dad: 'daddy papa',
};

/** By the word as it may be written. */
export const WRITTEN_AS: ReadonlyMap<string, string> = new Map([
  ...NUMBERS.map((word, number) => [word, String(number)] as const),
  ...TENS.map((word, i) => [word, String(30 + 10 * i)] as const),
  ...Object.entries(SPELLINGS).flatMap(([word, others]) =>
    others.split(' ').map(other => [other, word] as const),
  ),
]);

/** Whole values that are another name of one thing. */
export const ALSO_CALLED: ReadonlyMap<string, string> = new Map(
  Object.entries({
    'new york': 'nyc|new york city|new york ny|ny',
    'los angeles': 'la|los angeles ca',
    'san francisco': 'sf|san francisco ca',
    washington: 'dc|washington dc',
    'mexico city': 'cdmx',
    'united kingdom': 'uk|great britain|britain',
    'united states': 'us|usa|america|united states of america',
    'united arab emirates': 'uae|emirates',
    'european union': 'eu',
    'new zealand': 'nz',
  }).flatMap(([name, others]) => others.split('|').map(other => [other, name] as const)),
);
