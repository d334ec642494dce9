/** SHA-256 in hex. */
import { createHash } from 'node:crypto';

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Hash a tool's input as JSON, so that answers and the audit log can name it. */
export const inputHash = (input: unknown): string => sha256(JSON.stringify(input) ?? '');
