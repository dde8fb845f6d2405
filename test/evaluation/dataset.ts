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
   * Ids of turns of the conversation, distinct. Of an answerable question the turns that hold the answer, at least one;
   * of any other the turns that it could be taken for (distractors), or none where those aren't to be measured.
   */
  evidence: string[];
  answerable: boolean;
}

/** One user partition. */
export interface Conversation {
  id: string;
  sessions: Session[];
  questions: Question[];
}

export interface Dataset {
  /** What a report calls the answerable questions: its headline. */
  headline: string;
  conversations: Conversation[];
}
