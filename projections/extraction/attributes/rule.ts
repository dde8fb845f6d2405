import { NAME } from './value.ts';
import { PEOPLE, PETS } from './words.ts';

/** What a rule found in a clause. */
export interface Found {
  attribute: string;
  value: string;
  ended?: true | undefined;
}

/** A form of a clause behind its subject, and what it says of the subject. */
export interface Rule {
  /** From the word after the subject on. */
  verb: RegExp;
  found(groups: Record<string, string>): Found | undefined;
}

const ADVERBS =
  '(?:(?:now|also|still|currently|just|recently|finally|already|actually|really|both|officially|have|has|even|always|usually|mostly|only|literally|basically|temporarily|permanently) )*';

/** @param verb the source of an expression with a group `v` for the value, where there is one */
export const rule = (verb: string, found: Rule['found']): Rule => ({
  verb: new RegExp(`^${ADVERBS}(?:${verb})`, 'u'),
  found,
});

/** Whom a clause is about: the speaker, a relative, somebody by name. */
export interface Subject {
  /** `self`: "I", "we". `own`: "my sister", "my sister Ana", "my dog Comet". `other`: "Ana". */
  of: 'self' | 'own' | 'other';
  relation?: string | undefined;
  name?: string | undefined;
  /** The clause behind it. */
  rest: string;
}

const RELATIVE = [...PEOPLE, ...PETS].sort((a, b) => b.length - a.length).join('|');
const OWN = new RegExp(
  `^(?:[Mm]y|[Oo]ur) (?:(?:new|old|best|oldest|younger|older|little|big|elder|twin|late|dear|lovely) )*(?<relation>${RELATIVE})(?:,? (?<name>${NAME}),?)?(?= )`,
  'u',
);
const OTHER = new RegExp(`^(?<name>${NAME})(?= )`, 'u');
const SELF = /^(?:I|[Ww]e)(?= )/;
/** Capitalised at the beginning of a sentence, and nobody's name. */
const NOBODY =
  /^(?:It|He|She|They|This|That|These|Those|There|Here|What|Who|How|Why|When|Where|The|A|An|You|Your|His|Her|Their|Its|Everyone|Someone|Nobody|People|Some|Many|Most|All|Both|One|Two|Not|No|Yes|Just|Life|Work|School|God|Today|Tomorrow|Yesterday|Thanks|Please|Let|And|But|So|Or|If|Bring|Make|Take|Now|Then|Maybe|Sounds|Looks|Being|Having|Going)\b/;

/** The subject of a clause; undefined where it isn't plain. */
export const subjectOf = (clause: string): Subject | undefined => {
  const [self] = SELF.exec(clause) ?? [];
  if (self) return { of: 'self', rest: clause.slice(self.length + 1) };
  const own = OWN.exec(clause);
  if (own) {
    const { relation, name } = own.groups!;
    return { of: 'own', relation, name, rest: clause.slice(own[0].length + 1) };
  }
  const other = OTHER.exec(clause);
  if (!other || NOBODY.test(clause)) return undefined;
  return { of: 'other', name: other.groups!.name, rest: clause.slice(other[0].length + 1) };
};
