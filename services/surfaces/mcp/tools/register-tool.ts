import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { CallToolResult, Tool, ToolAnnotations } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { lenient, withOwnNames } from './lenient.ts';

interface ToolConfig<Input extends z.ZodObject> {
  title: string;
  description: string;
  inputSchema: Input;
  outputSchema: z.ZodRawShape;
  annotations: ToolAnnotations;
  /** Names that models use instead of an argument's own: other name → own name. */
  otherNames?: Readonly<Record<string, string>>;
}

/**
 * Returns a JSON Schema of 2020-12, the protocol's default, without `$schema`: some clients refuse the name
 * of any other draft, and validators of older drafts refuse this one's.
 */
const published = (schema: z.ZodObject, io: 'input' | 'output'): Tool['inputSchema'] => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    target: 'draft-2020-12',
    io,
    override: ({ jsonSchema }) => {
      // An object of anything, as clients have it that take no empty schema.
      if (jsonSchema.propertyNames === undefined) return;
      delete jsonSchema.propertyNames;
      jsonSchema.additionalProperties = true;
    },
  });
  return rest as Tool['inputSchema'];
};

/** Registers a tool that reads arguments leniently. Returns it as it is listed. */
export const registerTool = <Input extends z.ZodObject>(
  server: McpServer,
  name: string,
  { title, description, inputSchema, outputSchema, annotations, otherNames = {} }: ToolConfig<Input>,
  run: (args: z.output<Input>, call: { signal: AbortSignal }) => Promise<CallToolResult>,
): Tool => {
  const input = published(inputSchema, 'input');
  const read: z.ZodType = z.preprocess(
    args => lenient(input, withOwnNames(otherNames, args)),
    inputSchema as z.ZodObject,
  );
  server.registerTool(
    name,
    { title, description, inputSchema: read, outputSchema, annotations },
    (args: unknown, { signal }: { signal: AbortSignal }) => run(args as z.output<Input>, { signal }),
  );
  const output = published(z.object(outputSchema), 'output');
  return { name, title, description, inputSchema: input, outputSchema: output, annotations };
};
