/** The verb table: every command by task. Help, man page, completion, docs/commands.md and dispatch are generated from it. */
import type { Verb } from '../verb.ts';
import { answerVerbs } from './answer.ts';
import { connectVerbs } from './connect.ts';
import { driveVerbs } from './drive.ts';
import { fleetVerb } from './fleet.ts';
import { queueVerbs } from './queue.ts';
import { resumeVerbs } from './resume.ts';
import { setupVerbs } from './setup.ts';
import { watchVerbs } from './watch.ts';

export interface VerbGroup {
  title: string;
  verbs: Verb[];
}

export const verbGroups: VerbGroup[] = [
  { title: 'Watch', verbs: watchVerbs },
  { title: 'Answer', verbs: [...queueVerbs, ...answerVerbs] },
  { title: 'Drive', verbs: driveVerbs },
  { title: 'Resume', verbs: resumeVerbs },
  { title: 'Set up', verbs: [...setupVerbs, ...connectVerbs, fleetVerb] },
];

export const verbs: Verb[] = verbGroups.flatMap(group => group.verbs);
