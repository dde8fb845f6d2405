/** A turn or an observation as an index keeps it. */
export interface StoredFragment {
  key: number;
  id: string;
  kind: 'turn' | 'observation';
  user: string;
  session: string;
  role: string;
  text: string;
  /** Unix milliseconds. */
  timestamp: number;
  /** Observations: the turn they come from, and who made them. */
  sourceTurnId?: string;
  source?: 'client' | 'rules' | 'llm';
}
