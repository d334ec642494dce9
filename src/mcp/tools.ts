/** Every tool, and how the protocol describes it. */
import type { Tool as Described } from '@modelcontextprotocol/sdk/types.js';
import * as z from 'zod';
import { DroverError } from '../contract/error.ts';
import type { Right } from '../contract/rights.ts';
import { driveTools } from './drive-tools.ts';
import { readTools } from './read-tools.ts';
import type { Tool } from './tool.ts';
import { waitTool } from './wait-tool.ts';

export const tools: readonly Tool[] = [...readTools, waitTool, ...driveTools];

/** The tools that a token with these rights can use. */
export const toolsFor = (rights: readonly Right[]): Tool[] =>
  tools.filter(({ right }) => rights.includes(right));

/** The error for a tool whose right the user has not given. */
export const missingRight = ({ name, right }: Tool): DroverError =>
  new DroverError(
    'forbidden',
    `${name} needs the right \`${right}\`, which the user has not given to this MCP server.`,
    right === 'answer'
      ? 'Ask the user to answer, or to run `drover setup --mcp --drive --answer` in a terminal of their own.'
      : 'Ask the user to run `drover setup --mcp --drive` in a terminal of their own.',
  );

/** A tool as `tools/list` shows it. Its schemas are those of the contract. */
export const describe = ({
  name,
  title,
  description,
  right,
  isDestructive = false,
  input,
  output,
}: Tool): Described => ({
  name,
  title,
  description,
  inputSchema: schemaOf(input, 'input'),
  outputSchema: schemaOf(output, 'output'),
  annotations: {
    title,
    readOnlyHint: right === 'read',
    destructiveHint: isDestructive,
    openWorldHint: false,
  },
});

/** Clients check by draft 7 and reject a schema that names another. */
const schemaOf = (schema: z.ZodObject, io: 'input' | 'output'): Described['inputSchema'] => {
  const { $schema, ...rest } = z.toJSONSchema(schema, { io, target: 'draft-7' });
  void $schema;
  return rest as Described['inputSchema'];
};
