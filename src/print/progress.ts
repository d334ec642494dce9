/** Shows one progress line on standard error while a run works, if that is a terminal. */
import type { Turn } from './turn/turn.ts';

export class Progress {
  private readonly began = performance.now();
  private isShown = false;

  constructor(
    private readonly write: (text: string) => void,
    private readonly isTerminal: boolean,
    /** Makes text safe for a terminal, as one short line. */
    private readonly plain: (text: string) => string,
  ) {}

  working({ tracker: { account, status } }: Turn): void {
    if (!this.isTerminal) return;
    const seconds = Math.round((performance.now() - this.began) / 1000);
    const doing = status?.status === 'waiting' ? (status.waitingFor ?? 'waiting') : account.tool;
    this.write(`\r\x1b[Kworking … ${seconds} s${doing ? `, ${this.plain(doing)}` : ''}`);
    this.isShown = true;
  }

  /** Removes the line. */
  clear(): void {
    if (this.isShown) this.write('\r\x1b[K');
    this.isShown = false;
  }
}
