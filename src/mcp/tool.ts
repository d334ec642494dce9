/** The shape of one tool, and what its `run` receives. */
import * as z from 'zod';
import type { Right } from '../contract/rights.ts';
import { limits } from '../limits.ts';
import type { Daemon } from './daemon.ts';
import type { Own } from './own-session.ts';

export interface ToolDeps {
  daemon: Daemon;
  /** Returns the session that this server runs in; null outside of one. It may change with `/clear`, so ask at each call. */
  own: () => Own | null;
  /** Tells the client how far a wait has come. Does nothing if the client did not ask for it. */
  progress: (seconds: number, total: number, message: string) => void;
  /** Aborted when the client cancels the call. */
  signal: AbortSignal;
}

export interface Tool {
  name: string;
  title: string;
  description: string;
  /** The right that the token needs. A tool is offered only with it. */
  right: Right;
  /** Ends or interrupts something that runs. */
  isDestructive?: boolean;
  input: z.ZodObject;
  output: z.ZodObject;
  run: (input: never, deps: ToolDeps) => Promise<object>;
}

/** Checks the types of a tool: `run` takes its input and returns its output. */
export const tool = <Input extends z.ZodObject, Output extends z.ZodObject>(
  row: Omit<Tool, 'input' | 'output' | 'run'> & {
    input: Input;
    output: Output;
    run: (input: z.output<Input>, deps: ToolDeps) => Promise<z.input<Output>>;
  },
): Tool => row;

/** How every tool names a session. */
export const sessionField = z
  .string()
  .min(1)
  .max(limits.mcp.addressText)
  .describe('id of the session, the beginning of its id, or words of its title, project, branch or tags');
