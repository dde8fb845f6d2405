/** What an evaluation measures, whatever format it came in: conversations that are loaded, and questions to ask of them. */
import type { Turn as BodyTurn } from '../../schemas/http/ingestion.ts';

/** As the service takes it, with the name by which evidence refers to it. */
export interface Turn extends BodyTurn {
  /** Unique in its conversation. */
  id: string;
}

export interface Session {
  id: string;
  turns: Turn[];
}

export interface Question {
  /** Unique in its conversation. */
  id: string;
  question: string;
  category?: string;
  /**
   * Ids of turns of the conversation (or of sessions, see `Dataset.unit`), distinct. Of an answerable question the turns
   * that hold the answer, at least one; of any other the turns that it could be taken for (distractors), or none where
   * those aren't to be measured.
   */
  evidence: string[];
  answerable: boolean;
  /** RFC 3339: it was asked then, so that only turns up to this moment are searched. */
  until?: string;
}

/** One user partition. */
export interface Conversation {
  id: string;
  sessions: Session[];
  questions: Question[];
}

/** What evidence names: some sets label the session that holds the answer and not its turns. */
export type Unit = 'turn' | 'session';

export interface Dataset {
  /** Default: turn. */
  unit?: Unit;
  /** What a report calls the answerable questions: its headline. */
  headline: string;
  conversations: Conversation[];
}
