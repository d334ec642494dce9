/** Results and errors of handlers, as HTTP responses. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { DroverError } from '../contract/error.ts';
import { limits } from '../limits.ts';
import { hasBody } from './body.ts';
import { EventStream, Reply } from './reply.ts';

/** Sends what a handler returned. A stream is connected, and ends when its writer ends it. */
export const respond = async (response: ServerResponse, status: number, result: unknown): Promise<void> => {
  if (result instanceof EventStream) {
    response.writeHead(200, {
      'Content-Type': 'text/event-stream; charset=utf-8',
      'Cache-Control': 'no-store',
      'X-Accel-Buffering': 'no',
    });
    response.flushHeaders();
    await result.connect(response);
  } else if (result instanceof Reply) sendReply(response, status, result);
  else sendJson(response, status, result);
};

const sendReply = (response: ServerResponse, standard: number, { parts }: Reply): void => {
  const { status = standard, headers = {}, bytes, json } = parts;
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  if (json !== undefined) sendJson(response, status, json);
  else if (bytes === undefined) response.writeHead(status).end();
  else response.writeHead(status, { 'Content-Length': Buffer.byteLength(bytes) }).end(bytes);
};

const sendJson = (response: ServerResponse, status: number, body: unknown): void => {
  const text = JSON.stringify(body);
  response.writeHead(status, {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(text),
  });
  response.end(text);
};

/** Sends an error. One that no handler threw on purpose is reported and shown as `internal`. */
export const respondError = (
  request: IncomingMessage,
  response: ServerResponse,
  error: unknown,
  onError: (message: string, error: unknown) => void,
): void => {
  const known = error instanceof DroverError ? error : new DroverError('internal');
  if (known !== error) onError('a request failed', error);
  if (response.headersSent) {
    response.destroy();
    return;
  }
  if (known.code === 'unauthorized') response.setHeader('WWW-Authenticate', 'Bearer');
  if (!request.complete && hasBody(request)) rejectEarly(request, response, known);
  else sendJson(response, known.status, known.toJSON());
};

/**
 * Answers before the body has arrived, and closes the connection. What still arrives is thrown away for a moment: a connection
 * that is closed with unread bytes is reset, and the client would lose the answer.
 */
const rejectEarly = (request: IncomingMessage, response: ServerResponse, error: DroverError): void => {
  const text = JSON.stringify(error.toJSON());
  response.writeHead(error.status, {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(text),
    Connection: 'close',
  });
  response.write(text);
  const end = () => {
    clearTimeout(timer);
    response.end();
  };
  const timer = setTimeout(end, limits.http.rejectedBodyDrain);
  request.removeAllListeners('data');
  request.once('end', end);
  request.once('close', end);
  request.resume();
};
