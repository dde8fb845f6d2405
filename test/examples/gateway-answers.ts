/** Loaded before an example, in place of Vercel's gateway: a model that says what its instructions are. */
const { fetch } = globalThis;

globalThis.fetch = async (input, init) => {
  if (!/^https:\/\/ai-gateway\.vercel\.sh\/.*\/language-model$/.test(String(input)))
    return fetch(input, init);
  const { prompt } = JSON.parse(String(init?.body)) as { prompt: { role: string; content: unknown }[] };
  const instructions = prompt.filter(({ role }) => role === 'system').map(({ content }) => content);
  const tokens = { total: 1 };
  return Response.json({
    content: [{ type: 'text', text: `I was told: ${instructions.join('\n')}` }],
    finishReason: { unified: 'stop' },
    usage: { inputTokens: tokens, outputTokens: tokens },
    warnings: [],
  });
};
