/** SHA-256 in hex. */
import { createHash } from 'node:crypto';

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** The hash of a tool's input, as JSON: by it an answer and the audit name what was answered. */
export const inputHash = (input: unknown): string => sha256(JSON.stringify(input) ?? '');
