/** The verb table: every command by task. Help, completion, docs/commands.md and dispatch are generated from it. */
import type { Verb } from '../verb.ts';
import { answerVerbs } from './answer.ts';
import { connectVerbs } from './connect.ts';
import { driveVerbs } from './drive.ts';
import { queueVerbs } from './queue.ts';
import { resumeVerbs } from './resume.ts';
import { setupVerbs } from './setup.ts';
import { watchVerbs } from './watch.ts';

export interface VerbGroup {
  title: string;
  verbs: Verb[];
}

export const verbGroups: VerbGroup[] = [
  { title: 'Install and run', verbs: setupVerbs },
  { title: 'See your sessions', verbs: watchVerbs },
  { title: 'Go to the session that needs you', verbs: queueVerbs },
  { title: 'Answer requests', verbs: answerVerbs },
  { title: 'Start and control sessions', verbs: driveVerbs },
  { title: 'Find and resume past sessions', verbs: resumeVerbs },
  { title: 'Agents, programs and stored data', verbs: connectVerbs },
];

export const verbs: Verb[] = verbGroups.flatMap(group => group.verbs);
