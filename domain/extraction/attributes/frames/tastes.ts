import { INSTRUMENTS } from '../../../facts/things.ts';
import { textOf } from '../../reading/tokens.ts';
import { type Frame, frame } from '../frame.ts';
import { matching, oneOf, type ValueType, wordsIn } from '../values.ts';

const SPORTS =
  'football|soccer|tennis|badminton|squash|padel|basketball|volleyball|handball|hockey|ice hockey|rugby|cricket|baseball|softball|golf|table tennis|ping pong|water polo|lacrosse|darts|chess|bridge|poker|frisbee|ultimate|pool|snooker|netball|d&d|dungeons and dragons|pickleball';
const EXERCISES =
  'karate|judo|jiu-jitsu|jiu jitsu|boxing|kickboxing|taekwondo|gymnastics|aikido|capoeira|archery|climbing|bouldering|running|swimming|cycling|skiing|snowboarding|surfing|sailing|rowing|kayaking|fencing|weightlifting|triathlon|triathlons|marathon|marathons|freediving|trail running|mountain biking|ice skating|windsurfing|kitesurfing|athletics|wrestling';
const DOINGS =
  'yoga|pilates|crossfit|ballet|pottery|ceramics|calligraphy|hiking|fishing|birdwatching|gardening|knitting|crochet|sewing|painting|drawing|photography|baking|woodworking|carpentry|origami|salsa|tango|dancing|horse riding|weightlifting|meditation|improv|stand-up|beekeeping|cooking|singing|scuba diving|diving|skateboarding|fencing|triathlon|triathlons|marathon|marathons|orienteering|journaling|embroidery|quilting|astronomy|chess|parkour|freediving|choir|bookbinding|genealogy|foraging|brewing|camping|stargazing|gaming|crosswords|sudoku|geocaching|paragliding|windsurfing|kitesurfing|ice skating|roller skating|bowling|trail running|mountain biking|tai chi|qigong';
/** Beginnings of what is liked in the moment, or of nothing that can be named. */
const NO_TASTE =
  /^(?:it|that|this|how|when|what|the (?:idea|way|sound|thought|fact|look|part|vibe|energy)|seeing|hearing|being|you|your|him|her|them|myself|talking to|to (?:hear|see|know|say|be)|all|every|having|knowing|our|my|these|those|getting|such|so|if|watching (?:it|them|her|him)|for|a good|the (?:new|whole)|one|each|both|their|his|catching|chatting|people|where|who|in|on|at|is|are|was|also|more|to (?:think|believe)|about|as|a|new|some|an|any)\b|^to$|\b(?:pic|photo|quote|theme|vibe|colou?rs|picture)\b|^the (?:\S+ ){2}/i;

/** A hobby or a sport of the lists. */
export const doing = oneOf(`${DOINGS}|${EXERCISES}`);

/** "Gymnastics on Wednesdays": what is had every week. */
const weekly: ValueType = item => {
  const { tokens, phrase, end } = item;
  const isWeekly =
    tokens[phrase.to]?.lower === 'on' && /^\p{L}+days$/iu.test(tokens[phrase.to + 1]?.lower ?? '');
  return isWeekly && phrase.to < end ? doing(item) : undefined;
};

/** Something liked: "jazz", "drinking tea", "Thai food", with the words after a preposition. */
const taste: ValueType = item => {
  const { tokens, phrase, end } = item;
  const raw = textOf(tokens, phrase.bare, phrase.to);
  if (NO_TASTE.test(raw)) return undefined;
  const isDoing = /^to [a-z]|^[a-z]+ing\b/.test(raw);
  let to = phrase.to;
  // "Walking in the rain", "living by the sea": a doing has its place with it.
  if (isDoing)
    while (
      to < end &&
      to - phrase.from < 6 &&
      !/^(?:and|or|but|because|with|when|since|now|after|before|while|any|anymore|again|these|at|so|lately)$/.test(
        tokens[to]!.lower,
      ) &&
      !/[,.;!]/.test(tokens[to - 1]!.tail)
    )
      to++;
  const text = wordsIn({ ...item, phrase: { ...phrase, to } }, 7);
  return text?.replace(/^to (?=[a-z])/, '');
};
const RACE = /\b(?:marathon|triathlon|race|ironman|ultra|\d+ ?k)$/i;
/** Something that somebody works towards, as a doing: "train for a triathlon". */
const towards =
  (doing: string, kind = /\p{L}/u): ValueType =>
  item => {
    const { tokens, phrase } = item;
    const isThing =
      determined(tokens[phrase.bare]!.lower) && !/^(?:while|bit|rainy)$/.test(tokens[phrase.from]!.lower);
    const text = wordsIn(item, 5);
    return text !== undefined && isThing && kind.test(text)
      ? `${doing} ${textOf(tokens, phrase.bare, phrase.to).replace(/^(?:my|our) /, 'their ')}`
      : undefined;
  };
const determined = (lower: string): boolean => /^(?:an?|the|my|our)$/.test(lower);
/** "Tea to coffee", "to be called Al", "window seats": as it was said. */
const preference: ValueType = item => {
  const { tokens, phrase, end } = item;
  let to = end;
  while (to > phrase.from + 8) to--;
  const text = textOf(tokens, phrase.from, to).replace(/[,.;!]+$/, '');
  return /^not to\b/.test(text) ||
    text === '' ||
    /\b(?:it|that|this|them|they|you)\b/i.test(text) ||
    NO_TASTE.test(text.replace(/^(?:an?|the|my) /, ''))
    ? undefined
    : text.replace(/^to be /, 'being ').replace(/\bmy\b/g, 'their');
};

export const TASTE_FRAMES: readonly Frame[] = [
  frame('instrument', 'state', 'play', '', oneOf(INSTRUMENTS), { list: true }),
  frame('instrument', 'event', 'start begin', 'playing|learning', oneOf(INSTRUMENTS)),
  frame('instrument', 'event', 'start begin', 'to play|learn', oneOf(INSTRUMENTS)),
  frame('instrument', 'event', 'take pick', '', oneOf(INSTRUMENTS), { particle: 'up' }),
  frame('instrument', 'state', 'learn', '', oneOf(INSTRUMENTS)),
  frame('sport', 'state', 'play', '', oneOf(SPORTS), { list: true }),
  frame('sport', 'state', 'play', 'in|for a|an|the|our', oneOf(SPORTS)),
  frame('sport', 'state', 'do practise practice', '', oneOf(EXERCISES), { list: true }),
  frame('sport', 'event', 'take pick', '', oneOf(EXERCISES), { particle: 'up' }),
  frame('sport', 'event', 'start begin', '', oneOf(EXERCISES)),
  frame('sport', 'state', 'go', '', oneOf(EXERCISES), { list: true }),
  frame('hobby', 'state', 'do practise practice', '', oneOf(DOINGS), { list: true }),
  frame('hobby', 'state', 'have', '', weekly, { list: true }),
  frame('hobby', 'state', 'be', 'into', oneOf(DOINGS), { list: true }),
  frame('hobby', 'event', 'take pick', '', oneOf(DOINGS), { particle: 'up' }),
  frame('hobby', 'event', 'start begin', '', oneOf(DOINGS)),
  frame('hobby', 'event', 'start begin', 'doing|learning|with', oneOf(DOINGS)),
  ...(['instrument', 'sport', 'hobby'] as const).flatMap(attribute => {
    const type = oneOf(
      attribute === 'instrument' ? INSTRUMENTS : attribute === 'sport' ? `${SPORTS}|${EXERCISES}` : DOINGS,
    );
    return [
      frame(attribute, 'event', 'give', '', type, { particle: 'up', ended: true }),
      frame(attribute, 'event', 'quit stop drop', '', type, { ended: true }),
      frame(attribute, 'event', 'be', 'done|finished|through with', type, { ended: true }),
    ];
  }),
  frame('habit', 'state', 'smoke', '!', () => 'smoking'),
  frame('habit', 'state', 'vape', '!', () => 'vaping'),
  frame('habit', 'event', 'start begin', '', matching(/^(?<v>smoking|vaping)(?=$|[,.;!]| again\b)/i)),
  frame('likes', 'state', 'like enjoy', '', taste, { list: true, deniedAs: 'dislikes' }),
  // Not to love a thing is not to dislike it.
  frame('likes', 'state', 'love adore fancy', '', taste, { list: true, deniedAs: '' }),
  frame('likes', 'state', 'be', 'a big|huge|massive|great? fan of', taste, {
    list: true,
    deniedAs: 'dislikes',
  }),
  frame('likes', 'state', 'be', 'obsessed|hooked|passionate|crazy|addicted|fond with|on|about|to|of', taste, {
    list: true,
  }),
  frame('dislikes', 'state', 'hate dislike despise loathe detest', '', taste, { list: true, deniedAs: '' }),
  frame('dislikes', 'state', 'stand bear', '', taste, {
    list: true,
    onlyDenied: true,
    denied: value => value,
  }),
  frame('likes', 'event', 'go', 'off', taste, { list: true, ended: true }),
  frame('goal', 'state', 'train prepare', '~for', towards('train for')),
  frame('goal', 'state', 'save', '~for', towards('save for')),
  frame('goal', 'event', 'sign', '~for', towards('run', RACE), { particle: 'up' }),
  frame('preference', 'state', 'prefer', '', preference),
];
