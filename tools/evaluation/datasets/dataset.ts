/** An evaluation's material, whatever its format: conversations to load, and questions to ask of them. */
import type { Turn as BodyTurn } from '../../../schemas/http/ingestion.ts';

/** A turn as the service takes it, with the name by which evidence refers to it. */
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
   * Ids of turns of the conversation (or of sessions, see `Dataset.unit`), distinct. For an answerable
   * question, the turns that hold the answer, at least one; for any other, the turns that could be mistaken
   * for it (distractors), or none if those aren't to be measured.
   */
  evidence: string[];
  answerable: boolean;
  /** Time of asking, RFC 3339: only turns up to this moment are searched. */
  until?: string;
}

/** One user partition. */
export interface Conversation {
  id: string;
  sessions: Session[];
  questions: Question[];
}

/** The unit of evidence: some sets label the session that holds the answer rather than its turns. */
export type Unit = 'turn' | 'session';

export interface Dataset {
  /** Default: turn. */
  unit?: Unit;
  /** The report's name for the answerable questions. */
  headline: string;
  conversations: Conversation[];
}
