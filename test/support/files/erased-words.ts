/** Turns that are erased later: each with words that nobody else says, so that they can be looked for. */
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

/** Returns what all words of a session, or of one turn, begin with. */
export const wordsOf = (user: string, session: string, n: number | '' = ''): string[] =>
  WORDS.map(word => `${word}${user}${session}${n}`);
