/**
 * Plays one session of the demo in its pane: `player.js <project>`. It shows what a session would show, fires the hooks
 * that a session would fire, and takes an answer from its keys or from whoever answers through Drover. It plays its part
 * again and again, until its pane goes.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { Actor, type Use, type Verdict } from './actor.ts';
import { dialogOf, pressIn } from './dialog.ts';
import {
  callLines,
  failedLines,
  frameOf,
  headLines,
  promptLines,
  resultLines,
  saidLines,
  type View,
} from './frame.ts';
import { isText, keysIn } from './keys.ts';
import { play } from './play.ts';
import type { Part, Scene } from './scene.ts';

const footer =
  'a scripted session: keys work here too · prefix B goes back to the board · prefix d ends the demo';
/** Lines kept of what was said: more than any screen shows. */
const linesKept = 300;

class Player {
  private readonly view: View = { said: [], busy: null, dialog: null, draft: '', footer };
  private readonly actor: Actor;
  private began = 0;
  /** Told what the keys decided in a dialog; null: refused. */
  private onPick: ((picked: string[] | null) => void) | null = null;
  /** Told what was typed at the prompt. */
  private onPrompt: ((text: string) => void) | null = null;

  constructor(private readonly part: Part) {
    this.actor = new Actor(part, process.cwd(), process.env);
    this.tell(headLines(part.project));
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
      await this.actor.begins();
      for (let at = 0; at < this.part.scenes.length; at++) {
        const goesOn = await this.act(this.part.scenes[at] as Scene);
        if (!goesOn) at = this.nextPrompt(at);
      }
      await this.leave();
    }
  }

  /** What was refused takes the rest of its turn along. */
  private nextPrompt(from: number): number {
    const next = this.part.scenes.findIndex(({ kind }, index) => index > from && kind === 'prompt');
    return (next < 0 ? this.part.scenes.length : next) - 1;
  }

  /** False when the turn is over before its time. */
  private async act(scene: Scene): Promise<boolean> {
    if (scene.kind === 'ask') return this.ask(scene);
    if (scene.kind === 'prompt') await this.prompted(scene.text);
    else if (scene.kind === 'tool') await this.use(scene, scene.takes, scene.result);
    else if (scene.kind === 'background') await this.background(scene);
    else await this.pauseAt(scene);
    return true;
  }

  /** The turn is over, or none has begun: somebody has to type something. */
  private async pauseAt(
    scene: Extract<Scene, { waits: number; kind: 'say' | 'fail' | 'rest' }>,
  ): Promise<void> {
    if (scene.kind === 'say') await this.say(scene.text);
    if (scene.kind === 'fail') {
      this.tell(failedLines(scene.text));
      this.over();
      await this.actor.fails(scene.text);
    }
    await this.idle(scene.waits);
  }

  private async prompted(text: string): Promise<void> {
    this.tell(promptLines(text));
    this.began = Date.now();
    this.view.busy = 0;
    this.draw();
    await this.actor.prompted(text);
    await pause(500);
  }

  private async use(use: Use, takes: number, result: string): Promise<void> {
    this.tell(callLines(use));
    await this.actor.calls(use);
    await pause(takes * 1_000);
    this.tell(resultLines(result));
    await this.actor.done(use, result);
    await pause(300);
  }

  private async ask(scene: Extract<Scene, { kind: 'ask' }>): Promise<boolean> {
    this.tell(callLines(scene));
    await this.actor.calls(scene);
    const picked = await this.answer(scene);
    this.view.dialog = null;
    if (picked === null) {
      this.tell(resultLines('refused'));
      await this.say('I have left that alone. What shall I do instead?');
      await this.idle(12);
      return false;
    }
    if (picked.length > 0) this.tell(resultLines(`answered: ${picked.join(', ')}`));
    await pause(200);
    this.tell(resultLines(scene.result));
    await this.actor.done(scene, scene.result);
    await pause(scene.takes * 1_000);
    return true;
  }

  /** By the keys of this pane, by whoever answers through Drover, or, when nobody does, by the play itself. */
  private async answer(scene: Extract<Scene, { kind: 'ask' }>): Promise<string[] | null> {
    const waited = new AbortController();
    try {
      return await new Promise(resolve => {
        this.onPick = resolve;
        this.view.dialog = dialogOf(scene);
        this.draw();
        void this.actor.asks(scene).then(verdict => verdict && resolve(answersIn(verdict)));
        pause(scene.waits * 1_000, undefined, { signal: waited.signal }).then(
          () => resolve([]),
          () => {},
        );
      });
    } finally {
      this.onPick = null;
      waited.abort();
    }
  }

  private async background({ text, command, takes }: Extract<Scene, { kind: 'background' }>): Promise<void> {
    const task = { id: 'demo', type: 'shell', status: 'running', description: command, command };
    await this.say(text, [task]);
    await pause(takes * 1_000);
    await this.prompted(`<task-notification>${command} has finished</task-notification>`);
  }

  private async say(text: string, tasks: object[] = []): Promise<void> {
    await pause(400);
    this.tell(saidLines(text));
    this.over();
    await this.actor.says(text, tasks);
  }

  private over(): void {
    this.view.busy = null;
    this.draw();
  }

  /** At the prompt for so long, or until somebody has typed something and it was answered. */
  private async idle(seconds: number): Promise<void> {
    let until = Date.now() + seconds * 1_000;
    while (Date.now() < until || this.view.draft !== '') {
      const text = await this.typed(Math.max(500, until - Date.now()));
      if (text === null) continue;
      await this.prompted(text);
      await pause(2_500);
      await this.say(`You said “${text}”. In a real session Claude would answer here.`);
      until = Date.now() + 15_000;
    }
  }

  private async typed(ms: number): Promise<string | null> {
    const waited = new AbortController();
    const text = await new Promise<string | null>(resolve => {
      this.onPrompt = resolve;
      pause(ms, undefined, { signal: waited.signal }).then(
        () => resolve(null),
        () => {},
      );
    });
    this.onPrompt = null;
    waited.abort();
    return text;
  }

  private async leave(): Promise<void> {
    await this.actor.ends();
    this.view.said = headLines(this.part.project);
    this.over();
    await pause(3_000);
  }

  private press(key: string): void {
    const { dialog, draft } = this.view;
    if (dialog) {
      const next = pressIn(dialog, key);
      if ('title' in next) this.view.dialog = next;
      else this.onPick?.(next.picked);
    } else if (key === 'backspace') this.view.draft = draft.slice(0, -1);
    else if (key === 'ctrl-u' || key === 'escape') this.view.draft = '';
    else if (key === 'enter' && draft.trim() !== '' && this.onPrompt) {
      this.view.draft = '';
      this.onPrompt(draft.trim());
    } else if (isText(key)) this.view.draft += key;
    this.draw();
  }

  private tell(lines: string[]): void {
    this.view.said = [...this.view.said, ...lines].slice(-linesKept);
    this.draw();
  }

  private draw(): void {
    const { columns, rows } = process.stdout;
    if (this.view.busy !== null) this.view.busy = (Date.now() - this.began) / 1_000;
    process.stdout.write(frameOf(this.view, columns, rows));
  }
}

const answersIn = ({ behavior, updatedInput }: Verdict): string[] | null =>
  behavior === 'allow' ? Object.values(updatedInput?.answers ?? {}) : null;

const part = play.find(({ project }) => project === process.argv[2]);
if (part) void new Player(part).perform();
