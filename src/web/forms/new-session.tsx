/** The form for a new session: a known project or a path, a prompt, a mode. */
import { type KeyboardEvent, useEffect, useState } from 'react';
import { createBody, matchProjects, modes } from '../../client/new-session.ts';
import type { Project } from '../../contract/api.ts';
import { call } from '../daemon/call.ts';
import { errorText } from '../daemon/daemon-error.ts';
import { Dialog, SubmitButtons } from '../shared/dialogs.tsx';
import './forms.css';

interface Props {
  onStarted: (id: string) => void;
  onClose: () => void;
}

/** Projects that are listed at once. */
const shownAtMost = 6;

export const NewSessionForm = ({ onStarted, onClose }: Props) => {
  const { projects, problem: unknown } = useProjects();
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState<string | null>(null);
  const [prompt, setPrompt] = useState('');
  const [mode, setMode] = useState('');
  const [worktree, setWorktree] = useState(false);
  const { isBusy, problem, start } = useStart(onStarted);
  const shown = shownFor(projects, text);
  const dir = shown.find(project => project.dir === chosen)?.dir ?? shown[0]?.dir ?? null;
  const move = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined || shown.length === 0) return;
    event.preventDefault();
    const at = shown.findIndex(project => project.dir === dir);
    setChosen(shown[(at + step + shown.length) % shown.length]?.dir ?? null);
  };
  return (
    <Dialog title="New session" onClose={onClose} isWide>
      <form
        onSubmit={event => {
          event.preventDefault();
          if (dir !== null && !isBusy) void start({ dir, prompt, mode, worktree });
        }}
      >
        <input
          autoFocus
          aria-label="Project"
          placeholder="Search your projects, or enter a path"
          value={text}
          onChange={event => {
            setText(event.target.value);
            setChosen(null);
          }}
          onKeyDown={move}
        />
        <fieldset className="projects">
          <legend className="unseen">Projects</legend>
          {shown.map(project => (
            <label key={project.dir} className="option">
              <input
                type="radio"
                name="project"
                checked={project.dir === dir}
                onChange={() => setChosen(project.dir)}
              />
              <span>
                <strong>{project.project}</strong> <span className="path">{project.dir}</span>
              </span>
            </label>
          ))}
          {projects !== null && shown.length === 0 && (
            <p className="calm">No matching project. Enter a path that starts with /.</p>
          )}
        </fieldset>
        <textarea
          rows={3}
          aria-label="Prompt"
          placeholder="Prompt (optional)"
          value={prompt}
          onChange={event => setPrompt(event.target.value)}
        />
        <div className="fields-row">
          <label>
            Mode{' '}
            <select value={mode} onChange={event => setMode(event.target.value)}>
              {modes.map(one => (
                <option key={one.mode} value={one.mode}>
                  {one.label}
                </option>
              ))}
            </select>
          </label>
          <label>
            <input type="checkbox" checked={worktree} onChange={event => setWorktree(event.target.checked)} />{' '}
            In its own git worktree
          </label>
        </div>
        {(problem ?? unknown) && (
          <p className="warning" role="alert">
            {problem ?? unknown}
          </p>
        )}
        <SubmitButtons
          label={isBusy ? 'Starting …' : 'Start'}
          isDisabled={dir === null || isBusy}
          onCancel={onClose}
        />
      </form>
    </Dialog>
  );
};

/** The best matches; an absolute path is one more. */
const shownFor = (projects: Project[] | null, text: string): Project[] => {
  const found = matchProjects(projects ?? [], text).slice(0, shownAtMost);
  const path = text.trim().replace(/(.)\/+$/, '$1');
  const isNew = path.startsWith('/') && !found.some(({ dir }) => dir === path);
  return isNew ? [{ dir: path, project: path.split('/').at(-1) || '/', at: 0 }, ...found] : found;
};

const useProjects = () => {
  const [projects, setProjects] = useState<Project[] | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    const abort = new AbortController();
    call('listProjects', { signal: abort.signal })
      .then(list => setProjects(list.projects))
      .catch((error: unknown) => {
        if (!abort.signal.aborted) setProblem(errorText(error));
      });
    return () => abort.abort();
  }, []);
  return { projects, problem };
};

const useStart = (onStarted: (id: string) => void) => {
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const start = async (form: Parameters<typeof createBody>[0]): Promise<void> => {
    setBusy(true);
    setProblem(null);
    try {
      onStarted((await call('createSession', { body: createBody(form, crypto.randomUUID()) })).id);
    } catch (error) {
      setProblem(errorText(error));
      setBusy(false);
    }
  };
  return { isBusy, problem, start };
};
