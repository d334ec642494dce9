/**
 * Play one session of the demo in its pane: `player.js <project>`. It shows what a session would show, fires the same hooks,
 * and accepts answers from keys or through Drover. It repeats its script until its pane is closed.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Question } from '../contract/session.ts';
import { type Decision, ScriptedSession, type ToolUse } from './scripted-session.ts';
import { alwaysLabel, dialogOf, pressIn, ruleOf } from './dialog.ts';
import {
  callLines,
  failedLines,
  frameOf,
  headLines,
  promptLines,
  resultLines,
  textLines,
  type View,
} from './frame.ts';
import { isText, keysIn } from './keys.ts';
import { scripts } from './scripts.ts';
import type { Script, Step } from './script.ts';

const footer = 'scripted session: keys work here too · prefix B: back to the board · prefix d: end the demo';
/** Output lines to keep: more than any screen shows. */
const maxLines = 300;

class Player {
  private readonly view: View = { output: [], busy: null, dialog: null, draft: '', footer };
  private readonly session: ScriptedSession;
  private startedAt = 0;
  /** Commands that the person does not want to be asked about again. */
  private readonly allowed = new Set<string>();
  /** Called with the answer to a dialog. */
  private onPick: ((answer: Answer) => void) | null = null;
  /** Called with the text typed at the prompt. */
  private onPrompt: ((text: string) => void) | null = null;

  constructor(private readonly script: Script) {
    this.session = new ScriptedSession(script, process.cwd(), process.env);
    this.print(headLines(script.project));
  }

  async perform(): Promise<never> {
    process.stdin.setRawMode?.(true);
    process.stdin
      .setEncoding('utf8')
      .on('data', (chunk: string) => keysIn(chunk).forEach(key => this.press(key)));
    process.stdout.write('\x1b[?2004h\x1b[?25l');
    process.stdout.on('resize', () => this.draw());
    setInterval(() => this.view.busy !== null && this.draw(), 500);
    this.draw();
    for (;;) {
      await this.session.start();
      for (let at = 0; at < this.script.steps.length; at++) {
        const isContinued = await this.play(this.script.steps[at] as Step);
        if (!isContinued) at = this.nextPrompt(at);
      }
      await this.restart();
    }
  }

  /** Skip the rest of the turn after a refusal. */
  private nextPrompt(from: number): number {
    const next = this.script.steps.findIndex(({ kind }, index) => index > from && kind === 'prompt');
    return (next < 0 ? this.script.steps.length : next) - 1;
  }

  /** Play a step; false when the turn ends early. */
  private async play(step: Step): Promise<boolean> {
    if (step.kind === 'ask') return this.ask(step);
    if (step.kind === 'prompt') await this.prompt(step.text);
    else if (step.kind === 'tool') await this.use(step, step.takes, step.result);
    else if (step.kind === 'background') await this.background(step);
    else await this.waitForPrompt(step);
    return true;
  }

  /** End the turn and wait for a prompt. */
  private async waitForPrompt(
    step: Extract<Step, { waits: number; kind: 'say' | 'fail' | 'rest' }>,
  ): Promise<void> {
    if (step.kind === 'say') await this.say(step.text);
    if (step.kind === 'fail') {
      this.print(failedLines(step.text));
      this.endTurn();
      await this.session.fail(step.text);
    }
    await this.idle(step.waits);
  }

  private async prompt(text: string): Promise<void> {
    this.print(promptLines(text));
    this.startedAt = Date.now();
    this.view.busy = 0;
    this.draw();
    await this.session.prompt(text);
    await pause(500);
  }

  private async use(use: ToolUse, takes: number, result: string): Promise<void> {
    this.print(callLines(use));
    await this.session.callTool(use);
    await pause(takes * 1_000);
    this.print(resultLines(result));
    await this.session.finishTool(use, result);
    await pause(300);
  }

  private async ask(step: Extract<Step, { kind: 'ask' }>): Promise<boolean> {
    if (step.tool === 'Bash' && this.allowed.has(ruleOf(step.input))) {
      await this.use(step, step.takes, step.result);
      return true;
    }
    this.print(callLines(step));
    await this.session.callTool(step);
    const { picked, message, isRemembered } = await this.answer(step);
    this.view.dialog = null;
    if (isRemembered) this.allowed.add(ruleOf(step.input));
    if (picked === null) {
      this.print(resultLines(message ? `refused: ${message}` : 'refused'));
      await this.say('I did not do that. What should I do instead?');
      await this.idle(12);
      return false;
    }
    if (picked.length > 0) this.print(resultLines(`answered: ${picked.join(', ')}`));
    await pause(200);
    this.print(resultLines(step.result));
    await this.session.finishTool(step, step.result, answersOf(step, picked));
    await pause(step.takes * 1_000);
    return true;
  }

  /** Wait for an answer from keys or through Drover; after a while the script answers itself. */
  private async answer(step: Extract<Step, { kind: 'ask' }>): Promise<Answer> {
    const timeout = new AbortController();
    try {
      return await new Promise(resolve => {
        this.onPick = resolve;
        this.view.dialog = dialogOf(step);
        this.draw();
        void this.session.requestPermission(step).then(decision => decision && resolve(answerIn(decision)));
        pause(step.waits * 1_000, undefined, { signal: timeout.signal }).then(
          () => resolve({ picked: [] }),
          () => {},
        );
      });
    } finally {
      this.onPick = null;
      timeout.abort();
    }
  }

  private async background({ text, command, takes }: Extract<Step, { kind: 'background' }>): Promise<void> {
    const task = { id: 'demo', type: 'shell', status: 'running', description: command, command };
    await this.say(text, [task]);
    await pause(takes * 1_000);
    await this.prompt(`<task-notification>${command} has finished</task-notification>`);
  }

  private async say(text: string, tasks: object[] = []): Promise<void> {
    await pause(400);
    this.print(textLines(text));
    this.endTurn();
    await this.session.stop(text, tasks);
  }

  private endTurn(): void {
    this.view.busy = null;
    this.draw();
  }

  /** Stay at the prompt for a few seconds, longer while prompts are typed, and answer those. */
  private async idle(seconds: number): Promise<void> {
    let until = Date.now() + seconds * 1_000;
    while (Date.now() < until || this.view.draft !== '') {
      const text = await this.typed(Math.max(500, until - Date.now()));
      if (text === null) continue;
      await this.prompt(text);
      await pause(2_500);
      await this.say(`You said “${text}”. In a real session Claude would answer here.`);
      until = Date.now() + 15_000;
    }
  }

  private async typed(ms: number): Promise<string | null> {
    const timeout = new AbortController();
    const text = await new Promise<string | null>(resolve => {
      this.onPrompt = resolve;
      pause(ms, undefined, { signal: timeout.signal }).then(
        () => resolve(null),
        () => {},
      );
    });
    this.onPrompt = null;
    timeout.abort();
    return text;
  }

  private async restart(): Promise<void> {
    await this.session.end();
    this.view.output = headLines(this.script.project);
    this.endTurn();
    await pause(3_000);
  }

  private press(key: string): void {
    const { dialog, draft } = this.view;
    if (dialog) {
      const next = pressIn(dialog, key);
      if ('title' in next) this.view.dialog = next;
      else this.onPick?.(answerOf(next.picked));
    } else if (key === 'backspace') this.view.draft = draft.slice(0, -1);
    else if (key === 'ctrl-u' || key === 'escape') this.view.draft = '';
    else if (key === 'enter' && draft.trim() !== '' && this.onPrompt) {
      this.view.draft = '';
      this.onPrompt(draft.trim());
    } else if (isText(key)) this.view.draft += key;
    this.draw();
  }

  private print(lines: string[]): void {
    this.view.output = [...this.view.output, ...lines].slice(-maxLines);
    this.draw();
  }

  private draw(): void {
    const { columns, rows } = process.stdout;
    if (this.view.busy !== null) this.view.busy = (Date.now() - this.startedAt) / 1_000;
    process.stdout.write(frameOf(this.view, columns, rows));
  }
}

/** The answer to a request. */
interface Answer {
  /** The picked options; null: refused. */
  picked: string[] | null;
  /** What the person says to the model. */
  message?: string | undefined;
  /** It is not asked again. */
  isRemembered?: boolean;
}

const answerIn = ({ behavior, updatedInput, message, updatedPermissions }: Decision): Answer => ({
  picked: behavior === 'allow' ? Object.values(updatedInput?.answers ?? {}) : null,
  message,
  isRemembered: (updatedPermissions?.length ?? 0) > 0,
});

/** The answers by question; undefined when the tool asks none. */
const answersOf = ({ tool, input }: ToolUse, picked: string[]): Record<string, string> | undefined =>
  tool === 'AskUserQuestion'
    ? Object.fromEntries(
        (input.questions as Question[]).map(({ question }, index) => [question, picked[index] ?? '']),
      )
    : undefined;

const answerOf = (picked: string[] | null): Answer =>
  picked?.[0]?.startsWith(alwaysLabel) ? { picked: [], isRemembered: true } : { picked };

const script = scripts.find(({ project }) => project === process.argv[2]);
if (script) void new Player(script).perform();
