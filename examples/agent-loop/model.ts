/** The model behind one function: any endpoint with OpenAI's chat-completions API. */
export interface Message {
  role: 'system' | 'user' | 'assistant';
  content: string;
}

const { MODEL_URL = 'http://127.0.0.1:11434/v1', MODEL = 'llama3.1', MODEL_API_KEY } = process.env;

export const complete = async (messages: Message[]): Promise<string> => {
  const response = await fetch(`${MODEL_URL}/chat/completions`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(MODEL_API_KEY && { authorization: `Bearer ${MODEL_API_KEY}` }),
    },
    body: JSON.stringify({ model: MODEL, messages }),
  });
  if (!response.ok) throw new Error(`the model answered ${response.status}`);
  const { choices } = (await response.json()) as { choices: { message: { content: string } }[] };
  return choices[0]!.message.content;
};
