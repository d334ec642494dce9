/** Views whose code is loaded when they are first shown. */
import { type ComponentType, type ReactNode, useEffect, useState } from 'react';
import { loadChunk } from '../daemon/load-chunk.ts';

export interface LazyView<Props> {
  (props: Props): ReactNode;
  /** Loads the code before it is needed. */
  load: () => Promise<void>;
}

interface Options<Props> {
  /** Shown until the view has loaded. */
  Waiting?: ComponentType<Props>;
  /** It stays if the view cannot be loaded. */
  isEnough?: boolean;
}

/** Makes a view that loads on first use: `const Day = lazyView(async () => (await import('./day.tsx')).Day);` */
export const lazyView = <Props extends object>(
  get: () => Promise<ComponentType<Props>>,
  { Waiting = Loading, isEnough = false }: Options<Props> = {},
): LazyView<Props> => {
  let View: ComponentType<Props> | null = null;
  const load = async (): Promise<void> => {
    View ??= await loadChunk(get);
  };
  const Lazy = (props: Props) => {
    const [, setLoaded] = useState(false);
    const [problem, setProblem] = useState<string | null>(null);
    const [attempt, setAttempt] = useState(0);
    useEffect(() => {
      if (View !== null) return undefined;
      let isGone = false;
      load().then(
        () => isGone || setLoaded(true),
        (error: unknown) => isGone || setProblem((error as Error).message),
      );
      return () => {
        isGone = true;
      };
    }, [attempt]);
    if (View !== null) return <View {...props} />;
    if (problem === null || isEnough) return <Waiting {...props} />;
    const retry = () => {
      setProblem(null);
      setAttempt(attempt + 1);
    };
    return <Failed problem={problem} onRetry={retry} />;
  };
  return Object.assign(Lazy, { load });
};

const Loading = () => <p className="calm loading">Loading …</p>;

const Failed = ({ problem, onRetry }: { problem: string; onRetry: () => void }) => (
  <div className="warning" role="alert">
    {problem}{' '}
    <button type="button" onClick={onRetry}>
      Try again
    </button>
  </div>
);
