/**
 * Dialogs that could not be read, by version of the CLI and kind of request. Only of versions that nobody has tested yet: on a
 * tested one it is the screen of that moment, such as a pane that is scrolled. Kept across restarts, until one of them is read.
 */
import { isUntested } from '../../contract/cli-version.ts';
import type { CliStatus } from '../../contract/api.ts';

const factName = 'unread-dialogs';

export interface UnreadFacts {
  read: (name: string) => object | null;
  save: (name: string, value: object) => void;
}

export class UnreadDialogs {
  private readonly kinds = new Map<string, Set<string>>();

  constructor(
    private readonly facts: UnreadFacts,
    private readonly onError: (message: string, error: unknown) => void,
  ) {
    for (const [version, kinds] of Object.entries(facts.read(factName) ?? {}))
      if (isUntested(version) && Array.isArray(kinds)) this.kinds.set(version, new Set(kinds.map(String)));
  }

  /** Records that the dialog of an open request was not found on the screen. */
  note(version: string | null, kind: string): void {
    if (!isUntested(version) || this.kinds.get(version)?.has(kind)) return;
    this.kinds.set(version, new Set([...(this.kinds.get(version) ?? []), kind]));
    this.save();
  }

  /** Removes it again: such a dialog was read. */
  clear(version: string | null, kind: string): void {
    if (version === null || !this.kinds.get(version)?.delete(kind)) return;
    if (this.kinds.get(version)?.size === 0) this.kinds.delete(version);
    this.save();
  }

  list(): CliStatus['unread'] {
    return [...this.kinds].map(([version, kinds]) => ({ version, kinds: [...kinds].sort() }));
  }

  /** A store that cannot be written now must not prevent an answer. */
  private save(): void {
    try {
      const kept = Object.fromEntries([...this.kinds].map(([version, kinds]) => [version, [...kinds]]));
      this.facts.save(factName, kept);
    } catch (error) {
      this.onError('which dialogs could not be read could not be saved', error);
    }
  }
}
