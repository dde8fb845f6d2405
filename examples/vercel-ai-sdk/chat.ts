/** Asks one question to a model with memory. */
import { Turnstone } from '@turnstone/client';
import { memory } from '@turnstone/vercel-ai-sdk';
import { gateway, generateText, wrapLanguageModel } from 'ai';

const [question = 'What do you know of me?'] = process.argv.slice(2);

const model = wrapLanguageModel({
  model: gateway(process.env.MODEL ?? 'openai/gpt-5-mini'),
  middleware: memory(new Turnstone(), { user: 'ada', session: new Date().toISOString() }),
});

const { text } = await generateText({ model, prompt: question });
console.log(text);
