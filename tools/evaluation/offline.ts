import type { Language } from '../../domain/language/language.ts';
import type { Candidate, Document, ScopeStatistics } from '../../domain/search/document.ts';
import type { Conversation, Question } from './datasets/dataset.ts';

/** A conversation as the index would serve it, with every turn as a candidate. No service, no store. */
export interface OfflineScope {
  id: string;
  questions: Question[];
  /** Name of each candidate's turn, in its order. */
  names: string[];
  texts: string[];
  candidates: Candidate[];
  /** Returns the statistics for a query with these stems. */
  statistics(stems: Uint32Array): ScopeStatistics;
  speakers: string[];
}

export const offlineScope = (language: Language, conversation: Conversation): OfflineScope => {
  const names: string[] = [];
  const texts: string[] = [];
  const candidates: Candidate[] = [];
  const sessions = conversation.sessions.map((session, number) => {
    const turns = session.turns.map(({ role, text, timestamp: said }, i) => {
      const id = (candidates.length + i).toString(16).padStart(32, '0');
      const timestamp = Date.parse(said);
      const document = language.analyse(text, { role, timestamp });
      return { id, role, timestamp, document: language.decodeDocument(language.encodeDocument(document)) };
    });
    turns.forEach((turn, i) => {
      names.push(session.turns[i]!.id);
      texts.push(session.turns[i]!.text);
      const neighbours: Candidate['neighbours'] = [turns[i - 2], turns[i - 1], turns[i + 1], turns[i + 2]];
      const key = candidates.length;
      candidates.push({ ...turn, key, kind: 'turn', session: number, neighbours });
    });
    return turns.map(turn => turn.document);
  });
  const speakers = [...new Set(candidates.map(candidate => candidate.role))];
  return {
    id: conversation.id,
    questions: conversation.questions,
    names,
    texts,
    candidates,
    speakers,
    statistics: offlineStatistics(sessions, speakers),
  };
};

/** Returns exact counts over the sessions' documents. */
export const offlineStatistics = (sessions: Document[][], speakers: string[]) => {
  const turnsWith = new Map<number, number>();
  const bySession = sessions.map(documents => {
    const counts = new Map<number, number>();
    let length = 0;
    for (const document of documents) {
      length += document.length;
      document.stems.forEach((stem, i) => {
        counts.set(stem, (counts.get(stem) ?? 0) + document.counts[i]!);
        turnsWith.set(stem, (turnsWith.get(stem) ?? 0) + 1);
      });
    }
    return { counts, length };
  });
  const sessionsWith = new Map<number, number>();
  for (const { counts } of bySession)
    for (const stem of counts.keys()) sessionsWith.set(stem, (sessionsWith.get(stem) ?? 0) + 1);
  const turns = sessions.reduce((sum, documents) => sum + documents.length, 0);
  const length = bySession.reduce((sum, session) => sum + session.length, 0);

  return (stems: Uint32Array): ScopeStatistics => ({
    turns,
    meanLength: turns === 0 ? 0 : length / turns,
    turnsWith: stem => turnsWith.get(stem) ?? 0,
    sessions: sessions.length,
    meanSessionLength: sessions.length === 0 ? 0 : length / sessions.length,
    sessionsWith: stem => sessionsWith.get(stem) ?? 0,
    session: number => {
      const session = bySession[number];
      return {
        length: session?.length ?? 0,
        counts: Array.from(stems, stem => session?.counts.get(stem) ?? 0),
      };
    },
    speakers,
  });
};
