/** What is said to be erased: every turn with words that nobody else says, so that they can be looked for. */
const WORDS = ['Zora', 'Tallinn', 'xylophone', 'marmalade'];

/** A write of one turn of a session, with an observation and somebody to name. */
export const said = (user: string, session: string, n: number) => {
  const own = `${user}${session}${n}`;
  return {
    scope: { user_id: user, session_id: session },
    turns: [
      {
        role: `Speaker ${user}`,
        text: `My sister Zora${own} moved to Tallinn${own} and sold her xylophone${own}.`,
        timestamp: new Date(Date.UTC(2026, 2, 1) + n * 60_000).toISOString(),
        observations: [`The marmalade${own} was a gift`],
      },
    ],
  };
};

/** What all words of a session begin with, or those of one turn. */
export const wordsOf = (user: string, session: string, n: number | '' = ''): string[] =>
  WORDS.map(word => `${word}${user}${session}${n}`);
