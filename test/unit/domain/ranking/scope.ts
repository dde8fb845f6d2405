import type { Candidate, Document, ScopeStatistics } from '../../../../domain/search/document.ts';
import { offlineStatistics } from '../../../../tools/evaluation/offline.ts';
import { language } from '../language/fixture.ts';

export interface Said {
  role: string;
  text: string;
  /** RFC 3339; without it a minute after the turn before. */
  at?: string;
}

/** Sessions of turns as candidates, with the statistics of exactly this scope. */
export const scopeOf = (sessions: Said[][]) => {
  const candidates: Candidate[] = [];
  const documents: Document[][] = [];
  let time = Date.UTC(2023, 0, 1);
  sessions.forEach((session, number) => {
    const turns = session.map(({ role, text, at }, i) => {
      const id = (candidates.length + i).toString(16).padStart(32, '0');
      time = at ? Date.parse(at) : time + 60_000;
      return { id, role, timestamp: time, document: language.analyse(text, { role, timestamp: time }) };
    });
    turns.forEach((turn, i) => {
      const neighbours: Candidate['neighbours'] = [turns[i - 2], turns[i - 1], turns[i + 1], turns[i + 2]];
      const key = candidates.length;
      candidates.push({ ...turn, key, kind: 'turn', session: number, neighbours });
    });
    documents.push(turns.map(turn => turn.document));
  });
  const speakers = [...new Set(candidates.map(candidate => candidate.role))];
  const statistics = offlineStatistics(documents, speakers);
  return {
    candidates,
    speakers,
    ask: (q: string) => {
      const query = language.analyseQuery(q, speakers);
      return { query, statistics: statistics(query.stems) satisfies ScopeStatistics };
    },
  };
};

/** Small talk around what a test is about, so that its words are rare. */
export const smallTalk = (count: number): Said[] =>
  Array.from({ length: count }, (_, i) => ({
    role: i % 2 === 0 ? 'Ann' : 'Bob',
    text: ['Nice weather we have here.', 'How was work?', 'I cooked some soup.', 'That sounds lovely!'][
      i % 4
    ]!,
  }));
