/** A turn or an observation as an index stores it. */
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
  /** For observations: the turn they come from, and who made them. */
  sourceTurnId?: string;
  source?: 'client' | 'rules' | 'llm';
}
