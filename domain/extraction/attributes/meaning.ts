import type { SaidFact } from '../../../schemas/facts.ts';
import { holdsOne } from '../../facts/attributes.ts';
import type { Predicate } from '../reading/clause.ts';
import type { Frame } from './frame.ts';

/** A fact that a predicate gives its subject, or the person that `of` names. */
export interface Said extends Pick<SaidFact, 'attribute' | 'value' | 'ended' | 'stance'> {
  /** It was so at a time that is over; a date in the clause isn't the date of its end. */
  isPast?: boolean;
  /** The value is a day, from which nothing begins to hold. */
  isDay?: true;
  of?: string | undefined;
  /** The object that the attribute is of, beside one of its subject. */
  about?: string;
  /** It is one of several: it adds to those before it. */
  adds?: boolean;
  /** The words of the value, and where its list begins: indexes of words. */
  span?: { from: number; to: number };
  list?: number;
  /** Words that say it alone. */
  alone?: string;
}

export interface Value {
  value: string;
  from: number;
  to: number;
  alone?: string;
  /** "Not peanuts", behind what is so. */
  isDenied?: true;
}

/** Attributes whose past says that something happened, not that it ended: "I played chess with Tom". */
const DOINGS = new Set(
  'likes dislikes preference sport hobby instrument language volunteering membership diet work_schedule phone_model health allergy age'.split(
    ' ',
  ),
);
/** The perfect lasts only with a length of time: "I've played chess before" tells of no habit. */
const LASTING = new Set(['be', 'have', 'know']);
const hasLength = (text: string): boolean => /\b(?:for|since)\b/.test(text);

/** "I start at Osprey Dental on Monday": with its date, the present of these is a plan. */
const BEGINS = new Set(['start', 'begin', 'move', 'join']);

/** "On top of my job at Tesco I drive for Uber", "I also have a Vespa": one more, where mostly one holds. */
const MAY_BE_TWO = /^(?:employer|vehicle|bank)$/;
const BESIDES =
  /\b(?:on top of|besides|in addition to|alongside|next to|as well as) (?:my|our) (?:[\p{L}-]+ )?(?:job|work|car|van|bank|account)\b|\b(?:I|we)(?:['’]ve)? (?:now )?also\b|\b(?:second|another|side) (?:job|car|account)\b|\b(?:as well|too)(?=$|[,.;!])/iu;

const KEPT_AS_PLANS = /^(?:home|employer|job|school|department|team|diet|gym|bank)$/;

/** Interprets the values of a frame in the tense of its predicate. Empty for what is yet to happen. */
export function meant(
  frame: Frame,
  values: readonly Value[],
  { verb, backThen }: Predicate,
  { text, labels }: { text: string; labels: readonly string[] },
  isBackThen: boolean,
): Said[] {
  const { kind } = frame;
  const { tense, progressive, denied, ended, intent, formerly, willed } = verb;
  const list = values[0]!.from;
  const isBeside = !denied && !ended && MAY_BE_TWO.test(frame.attribute) && BESIDES.test(text);
  const each = (more: Partial<Said>, write = (value: string) => value): Said[] =>
    values.map(({ value, from, to, alone, isDenied }, index) => ({
      attribute: frame.attribute,
      value: write(value),
      span: { from, to },
      list,
      ...((alone ?? frame.alone) !== undefined && { alone: alone ?? frame.alone }),
      ...((index > 0 ? holdsOne(frame.attribute) : isBeside) && { adds: true }),
      ...more,
      ...(isDenied && { ended: true as const, stance: 'changed' as const }),
    }));
  const over = backThen || isBackThen;
  if (kind === 'end') return each({ ended: true, stance: 'changed' });
  if (intent !== undefined) return planned(frame, each, intent, willed, denied, labels);
  if (frame.ended) return denied || ended ? [] : each({ ended: true, stance: 'changed' });
  if (frame.onlyDenied && !denied) return [];
  if (denied || ended) {
    if (frame.denied && denied && (tense === 'present' || tense === 'perfect')) return each({}, frame.denied);
    if (frame.deniedAs !== undefined && denied && !ended && tense === 'present')
      return frame.deniedAs === '' ? [] : each({ attribute: frame.deniedAs });
    if (frame.deniedAs !== undefined && ended && frame.deniedAs !== '')
      return each({ ended: true, stance: 'changed' });
    // "I'm not moving to Bilbao after all" takes back what was planned.
    if (kind === 'event' && progressive && KEPT_AS_PLANS.test(frame.attribute))
      return each({ ended: true, stance: 'changed' });
    // An event that didn't happen implies nothing.
    return kind === 'state' && tense !== 'past' ? each({ ended: true, stance: 'changed' }) : [];
  }
  // "I turn 44 on Thursday": not yet.
  if (kind === 'ever')
    return each(
      verb.lemma === 'turn' && tense === 'present' && labels.length === 1 ? { stance: 'plan' } : {},
    );
  // "I'm coming from Lugo" is on its way.
  if (verb.lemma === 'come' && progressive) return [];
  if (kind === 'state') {
    // "My sister had a baby" is a birth.
    if (frame.attribute === 'child' && tense === 'past' && !formerly) return [];
    if (tense === 'perfect' && !progressive && !LASTING.has(verb.lemma) && !hasLength(text)) return [];
    if (
      tense === 'perfect' &&
      verb.lemma === 'be' &&
      !hasLength(text) &&
      !/^(?:diet|job|partner|relationship_status|health)$/.test(frame.attribute)
    )
      return [];
    const isPast = tense === 'past' || over;
    if (isPast && DOINGS.has(frame.attribute) && !formerly && !over) return [];
    return isPast ? each({ ended: true, isPast: true, stance: 'was' }) : each({});
  }
  if (progressive || tense === 'present')
    return (progressive || BEGINS.has(verb.lemma)) && frame.kind === 'event' && labels.length === 1
      ? planned(frame, each, 'plan', false, false, labels)
      : [];
  // "I moved to Leeds when I was 19" doesn't say that it is over.
  if (over) return frame.attribute === 'home' ? [] : each({ ended: true, isPast: true, stance: 'was' });
  return each({ stance: 'changed' });
}

/** "I'm moving to Kiel in May": with its date, an event is a plan of the attribute itself. */
function planned(
  frame: Frame,
  each: (more: Partial<Said>) => Said[],
  intent: 'wish' | 'plan',
  willed: boolean,
  denied: boolean,
  labels: readonly string[],
): Said[] {
  const isDated = labels.length === 1;
  if (denied || intent === 'wish' || !isDated || (frame.kind !== 'event' && !willed)) return [];
  return KEPT_AS_PLANS.test(frame.attribute) ? each({ stance: 'plan' }) : [];
}
