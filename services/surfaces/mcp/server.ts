import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { addResources } from './memory/resources.ts';
import { addPrompts } from './prompts.ts';
import { addCorrect } from './tools/correct-tool.ts';
import { addForget } from './tools/forget-tool.ts';
import { addProfile } from './tools/profile-tool.ts';
import { addRecall } from './tools/recall-tool.ts';
import { addRemember } from './tools/remember-tool.ts';
import { addSay } from './tools/say-tool.ts';
import { addTimeline } from './tools/timeline-tool.ts';
import type { Surroundings } from './tools/tool.ts';

/** Instructions that a client may show to the model; the tools' own descriptions contain the rest. */
const INSTRUCTIONS = `Turnstone is a memory of conversations that outlives this one. Recall before you answer what may depend on earlier conversations; remember what will matter in later ones, as it was said. Say plainly what memory contains (confidence from 0.8 on); of what it may contain (0.3 to 0.8), say that you are not sure, and ask; of what it does not (below), say that you do not know it from earlier conversations. Never make up a memory. Keep secrets out of it. Erase only what the person asked you to.`;

const TOOLS = [addRecall, addProfile, addRemember, addSay, addCorrect, addTimeline, addForget];

/** Makes a server of the Model Context Protocol, to be connected to a client's transport. */
export const makeMcpServer = (surroundings: Surroundings, version: string): McpServer => {
  const server = new McpServer(
    { name: 'turnstone', title: 'Turnstone memory', version },
    { instructions: INSTRUCTIONS },
  );
  const tools = TOOLS.map(add => add(server, surroundings));
  // In place of the SDK's list, whose schemas name a draft that clients refuse.
  server.server.setRequestHandler(ListToolsRequestSchema, () => ({ tools }));
  addPrompts(server);
  addResources(server, surroundings);
  return server;
};
