import { MAKERS } from '../../../facts/things.ts';
import { ORGANIZATIONS } from '../../names/known-names.ts';
import { hasComma, isUpper, textOf } from '../../reading/tokens.ts';
import { type Frame, frame } from '../frame.ts';
import { organization } from '../organization-type.ts';
import { type Item, matching, type ValueType, wordsIn } from '../values.ts';

const VEHICLE =
  /^(?:car|van|truck|motorbike|motorcycle|scooter|suv|hatchback|pickup|campervan|camper|moped|e-?bike|minivan|convertible|jeep)$/i;
const MAKER = new Set(
  MAKERS.toLowerCase()
    .split('|')
    .map(each => each.replace('citro[eë]n', 'citroën')),
);
const COLOURS =
  /^(?:old|new|little|red|blue|black|white|silver|grey|gray|green|yellow|second-hand|used|own|first|lovely|brand|brand-new|company|family|big|small|tiny|electric)$/i;
const PHONE =
  /\b(?<v>(?:iPhone|Pixel|Fairphone|Galaxy|OnePlus|Xiaomi|Nokia|Huawei)(?: [\p{L}]*\d[\p{L}\d]*)?(?: (?:Pro|Max|Plus|Ultra|Mini|SE))*)(?![\p{L}\d])/iu;
const DEVICE =
  /^(?:[\p{L}\d-]{2,18} ){0,3}(?:laptop|MacBook(?: (?:Pro|Air))?|ThinkPad|iPad|tablet|camera|desktop|telescope|3d printer|console|PlayStation(?: \d)?|Xbox|Kindle)$/u;
const OWNED =
  'house|flat|apartment|cottage|boat|cabin|farm|shop|bakery|restaurant|café|cafe|business|company|studio|garden|allotment|bike|bicycle|guitar|piano|violin|caravan|tent|greenhouse|beehive|beehives|tractor|drone|telephone|phone|houseboat|kayak|canoe|surfboard|motorhome|vineyard|salon|bookshop|bookstore|bar|gallery|plot|condo|land|trampoline';
const RUN =
  'shop|bakery|restaurant|café|cafe|business|company|studio|farm|salon|bookshop|gallery|bar|agency|b&b|hotel|hostel|pub|clinic|practice|store|firm|vineyard|brewery';

/** A vehicle by its kind or maker: "old Volvo" → "Volvo", "red van". */
export const vehicle: ValueType = item => {
  const { tokens, phrase } = item;
  let isVehicle = false;
  for (let at = phrase.from; at < phrase.to; at++) {
    const { lower } = tokens[at]!;
    if (MAKER.has(lower) || VEHICLE.test(lower)) isVehicle = true;
  }
  // A rental car is somebody else's, and "the same car" names none.
  if (
    !isVehicle ||
    /^(?:rental|hire|hired|rented|loaner|courtesy|same|toy|remote)$/.test(tokens[phrase.from]!.lower)
  )
    return undefined;
  // "A new car, a Tesla": its name follows.
  // "A motorbike as well, a Honda Rebel".
  const beside = /^(?:as well|too)$/.exec(
    textOf(tokens, phrase.to, Math.min(tokens.length, phrase.to + 2)).replace(/,.*$/, ''),
  );
  const behind = phrase.to + (beside === null ? 0 : beside[0].split(' ').length);
  const isNamedNext =
    hasComma(tokens[behind - 1]!) && /^an?$/.test(tokens[behind]?.lower ?? '') && behind + 1 < tokens.length;
  if (isNamedNext && isUpper(tokens[behind + 1]!)) return undefined;
  const last = tokens[phrase.to - 1]!.lower;
  if (!VEHICLE.test(last) && !MAKER.has(last) && !/\d/.test(last) && !isUpper(tokens[phrase.to - 1]!))
    return undefined;
  let from = phrase.from;
  while (from < phrase.to - 1 && COLOURS.test(tokens[from]!.lower) && !VEHICLE.test(tokens[from + 1]!.lower))
    from++;
  while (from < phrase.to - 1 && /^(?:new|own|old|first|used)$/.test(tokens[from]!.lower)) from++;
  return wordsIn({ ...item, phrase: { ...phrase, from } }, 5);
};
const determined = ({ phrase }: Item): boolean => phrase.bare < phrase.from;
const ownVehicle: ValueType = item => (determined(item) ? vehicle(item) : undefined);
/** "A Corsa", "an old Fiesta": a model that no list has, where it is driven. */
const drivenModel: ValueType = item => {
  const { tokens, phrase } = item;
  const isModel =
    determined(item) &&
    !ORGANIZATIONS.has(tokens[phrase.to - 1]!.lower) &&
    phrase.to - phrase.from <= 3 &&
    isUpper(tokens[phrase.to - 1]!) &&
    phrase.to === item.end;
  return isModel ? wordsIn(item, 3)?.replace(/^(?:new|own|old|first|used) /, '') : undefined;
};
const phone: ValueType = ({ tokens, phrase }) =>
  PHONE.exec(textOf(tokens, phrase.from, phrase.to))?.groups?.v;
/** "An iPhone 12", not "an iPhone course". */
const phoneAlone: ValueType = item => (phone(item) === wordsIn(item, 5) ? phone(item) : undefined);
const device: ValueType = item => {
  const text = wordsIn(item, 4)?.replace(/^(?:new|own|old) /, '');
  return text !== undefined && DEVICE.test(text) ? text : undefined;
};
const thing = (list: string): ValueType => {
  const known = new Set(list.split('|'));
  return item => {
    const last = item.tokens[item.phrase.to - 1]!.lower;
    return determined(item) && known.has(last)
      ? wordsIn(item, 4)?.replace(/^(?:new|own|old|first|lovely|second-hand) /, '')
      : undefined;
  };
};
const owned: ValueType = item =>
  determined(item) || /^(?:two|three|four|some|\d+)$/.test(item.tokens[item.phrase.bare]!.lower)
    ? wordsIn({ ...item, phrase: { ...item.phrase, to: item.phrase.to } }, 6)
    : undefined;
/** A name, with its article: "The Guardian", "Disney+". */
const brand: ValueType = item => {
  const text = wordsIn({ ...item, phrase: { ...item.phrase, from: item.phrase.bare } }, 5)?.replace(
    /^(?:a|an|the|my) /,
    '',
  );
  return text !== undefined && /\p{Lu}|\d/u.test(text) ? text : undefined;
};
const gym: ValueType = matching(
  /^(?:an? |the |my )?(?<v>\p{Lu}[\p{L}\d'’]+(?: \p{Lu}[\p{L}\d'’]+){0,2} [Gg]ym|\p{Lu}[\p{L}'’]+ [Ff]itness|\p{Lu}\p{L}*[Gg]ym\b|\p{Lu}\p{L}* ?CrossFit)/u,
);

const bankNamed = matching(
  /^(?:the )?(?<v>\p{Lu}[\p{L}\d'’& ]{1,25} Bank|Monzo|Revolut|HSBC|Barclays|Lloyds|NatWest|Santander|Wise|N26|Starling)\b/u,
);

/** "My Kindle", "the Panda": something of one's own that has a name or a known kind. */
const ofOwn: ValueType = item => {
  const { tokens, phrase } = item;
  const last = tokens[phrase.to - 1]!;
  const isOwn = determined(item) && !/^(?:an?|any)$/.test(tokens[phrase.bare]!.lower);
  const isThing = isUpper(last) || /\d/.test(last.core) || VEHICLE.test(last.lower);
  const text = wordsIn(item, 3);
  return isOwn && text !== undefined && (isThing || OWNED_SET.has(last.lower) || DEVICE.test(text))
    ? text
    : undefined;
};
const OWNED_SET = new Set(OWNED.split('|'));

export const THING_FRAMES: readonly Frame[] = [
  frame('vehicle', 'state', 'drive ride have own', '', ownVehicle),
  frame('vehicle', 'event', 'buy get lease purchase order', '', ownVehicle),
  frame('vehicle', 'state', 'drive', '', drivenModel),
  frame('phone_model', 'state', 'have use own', '', phone),
  frame('phone_model', 'state', 'be', 'on an|a|my', phoneAlone),
  frame('phone_model', 'event', 'buy get', '', phone),
  frame('phone_model', 'event', 'upgrade switch', '~to', phone),
  frame('device', 'state', 'have own use', '', device),
  frame('device', 'event', 'buy get purchase', '', device),
  frame('owns', 'state', 'own', '', owned),
  frame('owns', 'state', 'have', '', thing(OWNED)),
  frame('owns', 'state', 'have', '', ofOwn, { onlyEnded: true }),
  frame('owns', 'state', 'run', '', thing(RUN)),
  frame('owns', 'event', 'buy purchase open found inherit', '', thing(OWNED)),
  frame('subscription', 'event', 'subscribe', 'to', brand, { list: true }),
  frame('subscription', 'state', 'subscribe', 'to', brand, { list: true }),
  frame('subscription', 'state', 'be', 'subscribed to', brand, { list: true }),
  frame('subscription', 'event', 'take', 'out a|an subscription to|with', brand, { list: true }),
  frame('subscription', 'state', 'have', 'a|an subscription to|with', brand, { list: true }),
  frame(
    'subscription',
    'state',
    'be',
    'on the',
    matching(/^(?<v>[\w+ -]{2,24}) (?:plan|tier|package|subscription)\b/i),
  ),
  frame('bank', 'state', 'bank', 'with', organization),
  frame('bank', 'event', 'switch move', '~to', bankNamed),
  frame('bank', 'state', 'be', 'with|at', bankNamed),
  frame('bank', 'state', 'have', 'a|an|my|our bank account at|with', organization),
  frame('gym', 'state', 'have', 'a|my gym membership at|with', brand),
  frame('gym', 'event', 'join', '', gym),
  frame('gym', 'event', 'switch change', 'to', gym),
  frame('gym', 'state', 'go', 'to', gym),
  frame('gym', 'state', 'train exercise', '~at', brand),
  frame('vehicle', 'state', 'get', 'around in|on', ownVehicle),
];
