/** The hooks of one scripted session: the registered command, fired as Claude Code fires it, and the transcript beside it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { appendFileSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { slugOf } from '../claude/slug.ts';
import { handlerFor } from '../hook/install/command.ts';
import { claudeDir, type Env } from '../paths.ts';
import type { Part, Scene } from './scene.ts';

/** What a held request was answered with. */
export interface Verdict {
  behavior: 'allow' | 'deny';
  updatedInput?: { answers?: Record<string, string> };
}

export class Actor {
  private id = randomUUID();
  private call = 0;
  private used: number;

  constructor(
    private readonly part: Part,
    private readonly cwd: string,
    private readonly env: Env,
  ) {
    this.used = part.context;
  }

  async begins(): Promise<void> {
    mkdirSync(dirname(this.transcript), { recursive: true });
    await this.fire('SessionStart', { source: 'startup', model: this.part.model });
  }

  async ends(): Promise<void> {
    await this.fire('SessionEnd', { reason: 'prompt_input_exit' });
    this.id = randomUUID();
    this.used = this.part.context;
  }

  async prompted(prompt: string): Promise<void> {
    this.write('user', prompt);
    await this.fire('UserPromptSubmit', { prompt });
  }

  async calls(use: Use): Promise<void> {
    this.call++;
    this.write('assistant', [{ type: 'tool_use', id: this.callId, name: use.tool, input: use.input }]);
    await this.fire('PreToolUse', this.fields(use));
  }

  /** The dialog is up. While the request is held the hook waits, and prints what was answered; null: nothing was. */
  async asks({ tool, input }: Use): Promise<Verdict | null> {
    return verdictIn(await this.fire('PermissionRequest', { tool_name: tool, tool_input: input }));
  }

  async done(use: Use, result: string): Promise<void> {
    this.used += 400 + result.length * 40;
    this.write('user', [{ type: 'tool_result', tool_use_id: this.callId, content: result }]);
    await this.fire('PostToolUse', { ...this.fields(use), tool_response: { stdout: result } });
  }

  async says(text: string, tasks: object[] = []): Promise<void> {
    this.used += 1_200;
    this.write('assistant', [{ type: 'text', text }]);
    await this.fire('Stop', {
      stop_hook_active: false,
      last_assistant_message: text,
      background_tasks: tasks,
    });
  }

  async fails(text: string): Promise<void> {
    await this.fire('StopFailure', { error: 'server_error', last_assistant_message: text });
  }

  private get transcript(): string {
    return join(claudeDir(this.env), 'projects', slugOf(this.cwd), `${this.id}.jsonl`);
  }

  private get callId(): string {
    return `toolu_demo_${this.id.slice(0, 8)}_${this.call}`;
  }

  private fields({ tool, input }: Use) {
    return { tool_name: tool, tool_input: input, tool_use_id: this.callId };
  }

  private write(type: 'user' | 'assistant', content: unknown): void {
    const said = type === 'assistant' && {
      model: this.part.model,
      usage: { input_tokens: 4, cache_read_input_tokens: this.used },
    };
    const line = {
      type,
      uuid: randomUUID(),
      sessionId: this.id,
      cwd: this.cwd,
      timestamp: new Date().toISOString(),
      message: { role: type, content, ...said },
    };
    appendFileSync(this.transcript, `${JSON.stringify(line)}\n`);
  }

  /** Runs the hook and gives what it printed. */
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
    return printedBy(child, `${JSON.stringify(payload)}\n`);
  }
}

export type Use = Pick<Extract<Scene, { kind: 'ask' }>, 'tool' | 'input'>;

const printedBy = (child: ChildProcess, input: string): Promise<string> =>
  new Promise(resolve => {
    let printed = '';
    child.stdout?.on('data', (chunk: Buffer) => (printed += chunk.toString('utf8')));
    child.stdin?.on('error', () => {}).end(input);
    // A demo whose folder is being removed has no hooks any more, and nobody to tell.
    child.once('error', () => resolve(''));
    child.once('close', () => resolve(printed));
  });

const verdictIn = (printed: string): Verdict | null => {
  try {
    return (JSON.parse(printed) as { hookSpecificOutput: { decision: Verdict } }).hookSpecificOutput.decision;
  } catch {
    return null;
  }
};
