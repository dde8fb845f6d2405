/** The few calls that the evaluation makes, over HTTP as any client would. */
export interface Hit {
  id: string;
  score: number;
  source_turn_ids?: string[];
}

export interface RecallBody {
  hits: { turns: Hit[]; observations: Hit[]; entities: { label: string; score: number }[] };
  confidence: number;
}

export interface Client {
  orgId: string;
  ingest(body: unknown): Promise<{ active_fragment_ids: string[] }>;
  recall(body: unknown): Promise<RecallBody>;
}

const RETRIES = 2;
const RETRIED = new Set([408, 500, 502, 503, 504]);

const post = async (url: string, body: unknown, token?: string): Promise<unknown> => {
  for (let attempt = 0; ; attempt++) {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) },
      body: JSON.stringify(body),
    });
    if (response.ok) return response.json();
    const text = await response.text();
    if (attempt >= RETRIES || !RETRIED.has(response.status))
      throw new Error(`${url}: ${response.status} ${text}`);
    await new Promise(resolve => setTimeout(resolve, 500 * 2 ** attempt));
  }
};

export const connect = async (baseUrl: string, apiKey: string): Promise<Client> => {
  const exchanged = (await post(`${baseUrl}/auth/token-exchange`, { api_key: apiKey })) as {
    access_token: string;
  };
  const token = exchanged.access_token;
  const claims = JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString()) as { org_id: string };
  return {
    orgId: claims.org_id,
    ingest: async body =>
      (await post(`${baseUrl}/ingestion/memory`, body, token)) as { active_fragment_ids: string[] },
    recall: async body => (await post(`${baseUrl}/recall`, body, token)) as RecallBody,
  };
};
