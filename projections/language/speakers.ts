import { eachWord } from './words.ts';

/** In a chat with an assistant nobody is named: "I" is the user. */
const USER = new Set(['user', 'human']);
const ASSISTANT = new Set(['assistant', 'ai', 'bot', 'model']);
const FIRST_PERSON = new Set(['i', 'my', 'me', 'mine', 'myself', 'we', 'our']);
const SECOND_PERSON = new Set(['you', 'your', 'yours']);
/** Shorter nicknames say too little: `Al` may be anyone. */
const SHORTEST_NICKNAME = 3;

/**
 * The roles that a query names, and the words of the query that are their names. A role is named by any of its words
 * (`Ann` for `Ann Lee`), by a beginning of three letters or more when it is capitalised and fits no other role
 * (`Mel` for `Melanie`), or, for `user` and `assistant`, by a pronoun.
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
  const parts = speakers.map(speaker => ({ speaker, words: wordsOf(speaker) }));

  for (const word of new Set(words)) {
    const said = parts.filter(part => part.words.includes(word));
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
      if (isAssistant(speaker) && words.some(word => SECOND_PERSON.has(word))) named.add(speaker);
    }
  }
  return { named, names };
};

/** Whether this role is that of an assistant, by any of its words. */
export const isAssistant = (role: string): boolean => wordsOf(role).some(word => ASSISTANT.has(word));

const wordsOf = (text: string): string[] => {
  const words: string[] = [];
  eachWord(text, raw => words.push(raw.text));
  return words;
};
