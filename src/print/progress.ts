/** One line on a terminal's standard error while a run works; nothing anywhere else. */
import type { Turn } from './turn/turn.ts';

export class Progress {
  private readonly began = performance.now();
  private shown = false;

  constructor(
    private readonly write: (text: string) => void,
    private readonly isTerminal: boolean,
    /** Text of others as one short line that a terminal does not obey. */
    private readonly plain: (text: string) => string,
  ) {}

  working({ tracker: { account, status } }: Turn): void {
    if (!this.isTerminal) return;
    const seconds = Math.round((performance.now() - this.began) / 1000);
    const doing = status?.status === 'waiting' ? (status.waitingFor ?? 'waiting') : account.tool;
    this.write(`\r\x1b[Kworking … ${seconds} s${doing ? `, ${this.plain(doing)}` : ''}`);
    this.shown = true;
  }

  /** Takes the line away. */
  clear(): void {
    if (this.shown) this.write('\r\x1b[K');
    this.shown = false;
  }
}
