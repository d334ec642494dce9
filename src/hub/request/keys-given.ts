/** The keys of one answer, and the error when something went wrong after the first: it must not say that nothing was changed. */
import { DroverError } from '../../contract/error.ts';
import { shortId } from '../../contract/short-id.ts';
import type { Input } from '../../tmux/input/send-if-shown.ts';
import type { TerminalScreen } from './terminal-screen.ts';

export class KeysGiven {
  private readonly inputs: Input[] = [];
  private steps = { done: 0, of: 1 };

  constructor(private readonly session: { id: string }) {}

  add(input: Input): void {
    this.inputs.push(input);
  }

  progress(done: number, of: number): void {
    this.steps = { done, of };
  }

  /** The error to report: what was pressed, what the screen shows now, and what to do. */
  async explain(error: unknown, screen: TerminalScreen): Promise<unknown> {
    if (this.inputs.length === 0 || !(error instanceof DroverError)) return error;
    const pressed = `Pressed: ${this.inputs.map(nameOf).join(', ')}.`;
    const lookAtIt = `Look at it: \`drover go ${shortId(this.session.id)}\`.`;
    if (error.code === 'request_gone')
      return new DroverError('request_gone', `${error.message} ${pressed}`, lookAtIt);
    const { done, of } = this.steps;
    const steps = of > 1 ? `${done} of ${of} steps done: ` : '';
    const [reason = ''] = error.message.split(' It shows:\n');
    const rows = await rowsOf(screen);
    const again = of > 1 ? ' Or answer again, which goes on from there.' : '';
    return new DroverError(
      'failed',
      `${steps}${reason} ${pressed} The terminal shows now:\n${rows.join('\n')}`,
      `${lookAtIt}${again}`,
    );
  }
}

/** What the terminal shows at its end; nothing when its pane is gone. */
const rowsOf = async (screen: TerminalScreen): Promise<string[]> => {
  try {
    const { pane } = await screen.see();
    return pane.rows.filter(row => row.trim() !== '').slice(-shownRows);
  } catch {
    return [];
  }
};

const nameOf = (input: Input): string =>
  'key' in input ? input.key : JSON.stringify('text' in input ? input.text : input.paste);

const shownRows = 20;
