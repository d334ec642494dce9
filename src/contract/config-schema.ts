/** The JSON schema of config.json, for editors. Made from the schemas that parse the file. */
import * as z from 'zod';
import { Config } from './config.ts';
import { Agent, HookSettings } from './wake.ts';

export type JsonSchema = z.core.JSONSchema.BaseSchema;

/** Everything that config.json may hold: the config of the daemon, and the registry of agents. */
const ConfigFile = Config.extend({
  $schema: z.string().optional(),
  agents: z.array(Agent).optional(),
  hook_settings: HookSettings.optional(),
  registries: z.array(z.string()).optional(),
});

export const configSchema = (): JsonSchema => {
  const schema = z.toJSONSchema(ConfigFile, { io: 'input', unrepresentable: 'any', override: closeObject });
  return { ...schema, title: 'config.json of Drover' };
};

/** An editor marks what no version knows; fields of the whole file are kept for other versions. */
const closeObject = ({ zodSchema, jsonSchema }: { zodSchema: unknown; jsonSchema: JsonSchema }): void => {
  const isLoose = zodSchema instanceof z.ZodObject && zodSchema.def.catchall !== undefined;
  if (jsonSchema.properties && !isLoose) jsonSchema.additionalProperties = false;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
};
