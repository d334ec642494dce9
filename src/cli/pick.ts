import type { Transcript } from '../resume/transcripts.ts';
import type { Call } from './verb.ts';
export const pick = async (_call: Call, _transcripts: Transcript[]): Promise<string | null> => null;
