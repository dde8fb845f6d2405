import { fold } from '../words/fold.ts';
import { stem } from '../words/stems.ts';
import { eachWord, isUnparted, wordsOf } from '../words/words.ts';
import { asksAssistant } from './asks-assistant.ts';

/** Roles of a chat with an assistant, in which no speaker has a name and "I" is the user. */
const USER = new Set(['user', 'human']);
const ASSISTANT = new Set(['assistant', 'ai', 'bot', 'model']);
const list = (words: string): Set<string> => new Set(words.trim().split(/\s+/).map(fold));
/** Pronouns of several languages that are not English words with other meanings. */
const FIRST_PERSON = list(`
  i my me mine myself we our ich mein meine meinen meiner mir mich mi mis je eu meu minha benim bana
  я мой моя мои меня мне أنا 我 私 僕 俺 मैं मैंने मेरा मेरी मेरे मुझे
`);
/** Shorter nicknames are too ambiguous: `Al` may be anyone. */
const SHORTEST_NICKNAME = 3;
const IDEOGRAPHS_OR_HANGUL = /^[\p{Script=Han}\p{Script=Hangul}]{3,4}$/u;
const NOT_LATIN = /[^a-z0-9]/;

/**
 * Finds the roles that a query names, in the order in which it names them, and the words in the query that
 * name them. A role is named by any of its words (`Ann` for `Ann Lee`), by a capitalised prefix of three
 * letters or more that fits no other role (`Mel` for `Melanie`), `user` by a pronoun, and `assistant` by
 * something that the person addressed did (asks-assistant.ts). Names in other scripts may be inflected
 * (`Ивана` for `Иван`); in scripts that don't separate words, a role is named by its letters anywhere in the
 * query.
 *
 * @param words the folded words of `q`
 */
export const namedSpeakers = (
  q: string,
  words: readonly string[],
  speakers: readonly string[],
): { named: Set<string>; names: Set<string> } => {
  const named = new Set<string>();
  const names = new Set<string>();
  const capitals = new Set<string>();
  eachWord(q, raw => {
    if (raw.capital) capitals.add(raw.text);
  });
  const folded = fold(q);
  const parts = speakers.map(speaker => {
    const tokens = speaker.split(/\s+/);
    return {
      speaker,
      words: wordsOf(tokens.filter(token => !isUnpartedName(token)).join(' ')),
      unparted: tokens.filter(isUnpartedName).map(fold),
    };
  });

  const written = parts.flatMap(({ speaker, unparted }) => {
    const others = parts.filter(part => part.speaker !== speaker).flatMap(part => part.unparted);
    return unparted.flatMap(name => {
      const short = givenOrFamily(name).filter(two => !others.some(other => other.includes(two)));
      const found = [name, ...short].find(letters => folded.includes(letters));
      return found === undefined ? [] : [{ speaker, found, at: folded.indexOf(found) }];
    });
  });
  for (const { speaker, found } of written.sort((a, b) => a.at - b.at)) {
    named.add(speaker);
    for (const word of wordsOf(found)) names.add(word);
  }
  for (const word of new Set(words)) {
    const said = parts.filter(part => part.words.some(name => isSameName(name, word)));
    const short =
      said.length === 0 && word.length >= SHORTEST_NICKNAME && capitals.has(word)
        ? parts.filter(part => part.words.some(name => name.startsWith(word) || word === `${name}s`))
        : [];
    const found = said.length > 0 ? said : short.length === 1 ? short : [];
    for (const { speaker } of found) {
      named.add(speaker);
      names.add(word);
    }
  }
  if (named.size === 0) {
    for (const { speaker, words: own } of parts) {
      const isUser = own.some(word => USER.has(word));
      if (isUser && words.some(word => FIRST_PERSON.has(word))) named.add(speaker);
      if (isAssistant(speaker) && asksAssistant(q, words)) named.add(speaker);
    }
  }
  return { named, names };
};

/** Whether any word of the role names an assistant. */
export const isAssistant = (role: string): boolean => wordsOf(role).some(word => ASSISTANT.has(word));

/** Whether a word is the name. Latin names are not inflected: `Mary` is not `Maries`. */
const isSameName = (name: string, word: string): boolean =>
  name === word || (NOT_LATIN.test(name) && stem(name) === stem(word));

/** Whether a name is in an unseparated script and has several letters: one may be a word or part of one. */
const isUnpartedName = (name: string): boolean => isUnparted(name) && wordsOf(name).length > 1;

/**
 * Returns the two-letter forms of a Chinese, Japanese or Korean name of 3 or 4 letters: `小明` for `王小明`, `山田`
 * for `山田太郎`.
 */
const givenOrFamily = (name: string): string[] => {
  const letters = [...name];
  if (!IDEOGRAPHS_OR_HANGUL.test(name)) return [];
  const given = letters.slice(-2).join('');
  return letters.length === 4 ? [given, letters.slice(0, 2).join('')] : [given];
};
