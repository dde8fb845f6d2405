import type { Lexicon } from './sentences/lexicon.ts';
import type { Word } from './sentences/sentences.ts';
import { isFiniteVerb } from './sentences/verbs.ts';

/** Opinions, and phrases that keep a conversation going. */
const OPINION =
  /^(?:I|we)(?:['’](?:m|d|ll|re))?(?: am| are| would| do| also| really| just| still| personally| honestly| always| totally| kinda| sort of| kind of| definitely)* (?:think|thought|guess|believe|reckon|suppose|assume|figured?|bet|doubt|wonder|wondering|agree|disagree|understand|see|knew|know|mean|meant|imagine|appreciate|heard? (?:you|that)|hope (?:you|it|that|this|so|he|she|they)|wish (?:you|it|that|him|her|them)|swear|promise|admit|notice|noticed|say|said|mention|mentioned|told you|feel (?:like|that|you|so|for|as)|sure|aware|glad|happy for|sorry|saying|asking|joking|kidding|take back|repeat)\b/i;
const CAPTION =
  /^(?:(?:I |we )?(?:shared|sent|posted|attached|took|here(?:['’]s| is)) )?(?:an? |the )?(?:photo|picture|image|pic|video|gif|screenshot|selfie|voice message|audio|file|photograph)s?(?: of|:| message|$)/i;
const JUDGED =
  /\b(?:is|are|was|were|isn't|aren't|wasn't|looks?|sounds?|seems?|feels?|tastes?|means?|matters?|helps?|makes?|brings?|gives?)(?:n['’]t)? (?:(?:so|very|really|such|pretty|quite|too|just|a|an|the|all|most|always|absolutely|definitely|truly|totally|super) )*(?:great|good|bad|nice|amazing|awesome|beautiful|important|hard|easy|fun|cool|best|worst|perfect|lovely|wonderful|terrible|awful|special|worth|key|better|worse|interesting|inspiring|powerful|joy|everything|lot|sense|difference|perspective|disaster|right|true|wrong|fine|sweet|gift|blessing|way|reminder)\b/i;
const ASSISTANT_DOES =
  /^(?:I|I['’](?:ve|ll)) (?:have |will |just |already |also )*(?!would|could|can|may|might|recommend|suggest|understand|apologi|hope|think|believe|see|know|am|do|want|need|notice|remember|appreciate|encourage|advise|assume|imagine)[a-z]+/i;
/** Things that an assistant did for the user, whether or not it says for whom. */
const ASSISTANT_DID =
  /^I(?:['’]ve| have)?(?: just| already| also| now)* (?:booked|reserved|ordered|scheduled|set|created|sent|added|found|updated|cancell?ed|saved|moved|changed|registered|filed|paid|bought|enabled|disabled|refunded|called|emailed|removed|renamed|put|uploaded) (?!it\b|that\b|this\b|them\b)/i;
const ABOUT_USER = /\byou(?:r|rs)?\b/i;
const SENTENCE_VERB = /\b(?:would|could|should|might|can|must)\b|['’]d\b/i;
/** Requests to an assistant in the words of a statement. */
const REQUEST =
  /^(?:I|we)(?:['’](?:m|d))? (?:am |would |really |just |also |still )*(?:need|want|like|looking for|searching for|trying to find|after)(?: some| an?| any| more| your| good| help with)*(?: [a-z-]+)? (?:help|ideas?|advice|suggestions?|tips|recommendations?|list|summary|template|draft|explanation|options|info|information|feedback|example|examples|recipe|recipes)\b|^(?:I|we)(?:['’]d)? (?:would )?(?:want|need|like) you to\b/i;
/** Encouragement, promises of the moment, and references to a picture. */
const VAGUE =
  /^(?:maybe|perhaps|even though|especially|almost as|not only|as for)\b|^(?:I|we)(?:['’]ll| will| can| could| should| have to| need to| gotta| must)(?: all| both| definitely| always| just| really| also| totally)* (?:keep|do (?:it|this|great|more|better|our|my)|make (?:a|the|it|things|this)|achieve|be (?:sure|there|here|ready|back|fine|okay|happy)|get (?:in touch|through|there|it)|reach out|let you|take (?:your|that|it|the)|support|push|never|continue|see|find|try|stay|overcome|tackle|help each|definitely|remember|learn from|change the|feel|picture|imagine|handle)\b|\bhere['’]s (?:a|an|the|my|one|what|how|some|another)\b|^we(?:['’]re| are) (?:all|both|in (?:this|it)|not)\b|\bcheck(?:ing)? (?:it|this|that|them) out\b/i;
/** Short but complete: "I'm pregnant", "I love sushi". */
const THIN =
  /^(?:I|we)(?:['’](?:m|re|ve))? (?:am |are )?(?!\w+ing$|\w+ed (?:up|out|in|off|over|back)$)[a-z'’]+ \p{L}{3,}$/iu;
/** "The subjunctive is my enemy": a description, not an event. */
const COPULA = /^(?:\S+ ){1,6}(?:is|are|was|were|seems?|looks?|feels?|sounds?|means?)\b/i;
/** "31k, which is less": the noun before the comma is all there is of a sentence. */
const FRAGMENT = /^[^,]{1,40}, (?:which|that|who|but|like|not)\b/i;

/** "Someone who", "people": nobody in particular. */
const GENERIC =
  /^(?:an? |the |every|no |all |most |some |many )?(?:people|person|everyone|everybody|someone|nobody|anyone|life|love|family|friends|friendship|music|art|nature|things|thing|one|moments?|memories|kids|children|parents|dogs|cats|time|change|growth|success|happiness|kindness|health|support|communication|honesty|practice|others|meetings|every|each)\b/i;

/** A statement and the evidence for whom it is about. */
export interface Stated {
  /** In the speaker's words, dates made absolute. */
  text: string;
  words: readonly Word[];
  /** Whether it contains a first person. */
  own: boolean;
  /** Whether it names a person, a place or a date. */
  named: boolean;
  /** Whether its first word is a name, or a relation of the speaker ("mum"). */
  ofNamed: boolean;
}

/** Whether a person's statement tells of somebody or their world, no opinion, caption or commonplace. */
export function isUseful({ text, words, own, named, ofNamed }: Stated, lexicon: Lexicon): boolean {
  if (CAPTION.test(text) || OPINION.test(text) || REQUEST.test(text) || VAGUE.test(text)) return false;
  // "I signed up", "I'm walking": the rest is in another sentence.
  if (words.length < 4 && !THIN.test(text)) return false;
  const first = words[0]!.lower;
  if (own && /^(?:i|we|my|our|i'm|i've|i'd|i'll|we're|we've|we'd|we'll)$/.test(first)) return true;
  if (FRAGMENT.test(text)) return false;
  if (own && JUDGED.test(text)) return false;
  if (own)
    return (named || !COPULA.test(text) || /\b(?:mine|ours)$/i.test(text)) && hasVerbEarly(words, lexicon);
  if (JUDGED.test(text) || GENERIC.test(text)) return false;
  return (ofNamed || (named && /^(?:the|an?|there)$/i.test(first))) && hasVerbEarly(words, lexicon);
}

/**
 * Whether an assistant's statement is worth keeping: only something it did for the user, or about the user's
 * people by name.
 */
export function assistantTells(stated: Stated, lexicon: Lexicon): boolean {
  const { text, own } = stated;
  if (SENTENCE_VERB.test(text)) return false;
  if (own)
    return (
      ASSISTANT_DID.test(text) || (ASSISTANT_DOES.test(text) && ABOUT_USER.test(text) && !OPINION.test(text))
    );
  return stated.ofNamed && ABOUT_USER.test(text) && isUseful(stated, lexicon);
}

/** Whether a finite verb comes within a subject's length; otherwise those before it are something else. */
const hasVerbEarly = (words: readonly Word[], lexicon: Lexicon): boolean =>
  words.slice(1, 9).some(({ lower }) => isFiniteVerb(lower, lexicon)) ||
  /'(?:s|re|ll|d|ve)$/.test(words[0]!.lower);
