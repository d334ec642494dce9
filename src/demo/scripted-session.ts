/** Fire the hooks of one scripted session as Claude Code would, and write its transcript. */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { appendFileSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { shortId } from '../contract/short-id.ts';
import { slugOf } from '../claude/slug.ts';
import { handlerFor } from '../hook/install/command.ts';
import { claudeDir, type Env } from '../paths.ts';
import { ruleOf } from './dialog.ts';
import type { Script, Step } from './script.ts';

/** The answer to a held request. */
export interface Decision {
  behavior: 'allow' | 'deny';
  updatedInput?: { answers?: Record<string, string> };
  /** With `deny`: what the person says to the model. */
  message?: string;
  /** With `allow`: the rules to remember. */
  updatedPermissions?: unknown[];
}

export class ScriptedSession {
  private id = randomUUID();
  private call = 0;
  private used: number;

  constructor(
    private readonly script: Script,
    private readonly cwd: string,
    private readonly env: Env,
  ) {
    this.used = script.context;
  }

  async start(): Promise<void> {
    mkdirSync(dirname(this.transcript), { recursive: true });
    await this.fire('SessionStart', { source: 'startup', model: this.script.model });
  }

  async end(): Promise<void> {
    await this.fire('SessionEnd', { reason: 'prompt_input_exit' });
    this.id = randomUUID();
    this.used = this.script.context;
  }

  async prompt(prompt: string): Promise<void> {
    this.write('user', prompt);
    await this.fire('UserPromptSubmit', { prompt });
  }

  async callTool(use: ToolUse): Promise<void> {
    this.call++;
    this.write('assistant', [{ type: 'tool_use', id: this.callId, name: use.tool, input: use.input }]);
    await this.fire('PreToolUse', this.fields(use));
  }

  /** Fire the hook of a dialog. While the request is held, the hook waits and prints the answer; null when there is none. */
  async requestPermission({ tool, input }: ToolUse): Promise<Decision | null> {
    const suggestions = tool === 'Bash' && { permission_suggestions: [suggestionFor(input)] };
    const fields = { tool_name: tool, tool_input: input, ...suggestions };
    return decisionIn(await this.fire('PermissionRequest', fields));
  }

  /** With the answers of a question, as Claude Code reports them. */
  async finishTool(use: ToolUse, result: string, answers?: Record<string, string>): Promise<void> {
    this.used += 400 + result.length * 40;
    this.write('user', [{ type: 'tool_result', tool_use_id: this.callId, content: result }]);
    await this.fire('PostToolUse', {
      ...this.fields(use),
      tool_response: answers ? { answers } : { stdout: result },
    });
  }

  async stop(text: string, tasks: object[] = []): Promise<void> {
    this.used += 1_200;
    this.write('assistant', [{ type: 'text', text }]);
    await this.fire('Stop', {
      stop_hook_active: false,
      last_assistant_message: text,
      background_tasks: tasks,
    });
  }

  async fail(text: string): Promise<void> {
    await this.fire('StopFailure', { error: 'server_error', last_assistant_message: text });
  }

  private get transcript(): string {
    return join(claudeDir(this.env), 'projects', slugOf(this.cwd), `${this.id}.jsonl`);
  }

  private get callId(): string {
    return `toolu_demo_${shortId(this.id)}_${this.call}`;
  }

  private fields({ tool, input }: ToolUse) {
    return { tool_name: tool, tool_input: input, tool_use_id: this.callId };
  }

  private write(type: 'user' | 'assistant', content: unknown): void {
    const usage = type === 'assistant' && {
      model: this.script.model,
      usage: { input_tokens: 4, cache_read_input_tokens: this.used },
    };
    const line = {
      type,
      uuid: randomUUID(),
      sessionId: this.id,
      cwd: this.cwd,
      timestamp: new Date().toISOString(),
      message: { role: type, content, ...usage },
    };
    appendFileSync(this.transcript, `${JSON.stringify(line)}\n`);
  }

  /** Run the hook and return its output. */
  private fire(event: string, fields: object): Promise<string> {
    const payload = {
      session_id: this.id,
      transcript_path: this.transcript,
      cwd: this.cwd,
      permission_mode: 'default',
      hook_event_name: event,
      ...fields,
    };
    const child = spawn('sh', ['-c', handlerFor(event, this.env).command], {
      cwd: this.cwd,
      env: {
        ...this.env,
        CLAUDE_PID: String(process.pid),
        CLAUDE_CODE_SESSION_ID: this.id,
        CLAUDE_CODE_ENTRYPOINT: 'cli',
        CLAUDE_PROJECT_DIR: this.cwd,
      },
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    return outputOf(child, `${JSON.stringify(payload)}\n`);
  }
}

export type ToolUse = Pick<Extract<Step, { kind: 'ask' }>, 'tool' | 'input'>;

/** What Claude Code would suggest to remember. */
const suggestionFor = (input: ToolUse['input']): object => ({
  type: 'addRules',
  rules: [{ toolName: 'Bash', ruleContent: ruleOf(input) }],
  behavior: 'allow',
  destination: 'session',
});

const outputOf = (child: ChildProcess, input: string): Promise<string> =>
  new Promise(resolve => {
    let output = '';
    child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString('utf8')));
    child.stdin?.on('error', () => {}).end(input);
    // The folder of the demo is being removed, and its hooks with it.
    child.once('error', () => resolve(''));
    child.once('close', () => resolve(output));
  });

const decisionIn = (output: string): Decision | null => {
  try {
    return (JSON.parse(output) as { hookSpecificOutput: { decision: Decision } }).hookSpecificOutput.decision;
  } catch {
    return null;
  }
};
