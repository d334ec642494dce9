/** Sends one request to an address from outside, without a token, and reports what answered. */
import { request as plain, type RequestOptions } from 'node:http';
import { request as secure } from 'node:https';
import type { TLSSocket } from 'node:tls';
import { limits } from '../../limits.ts';

export interface Probe {
  method?: string;
  path: string;
  headers?: Record<string, string>;
  body?: string;
}

export interface Probed {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
  /** Null over plain HTTP. */
  certificate: { problem: string | null; issuer: string; validTo: string } | null;
}

/** `ca`: further certificate authorities, for tests. Rejects when nothing answers in time. */
export const probeAddress = (base: URL, probe: Probe, ca?: string): Promise<Probed> =>
  new Promise((resolve, reject) => {
    const { method = 'GET', path, headers = {}, body } = probe;
    const send = base.protocol === 'https:' ? secure : plain;
    // A wrong certificate is a finding, not the end: nothing secret is sent.
    const options: RequestOptions & { rejectUnauthorized: boolean; ca?: string } = {
      method,
      headers: body === undefined ? headers : { 'Content-Length': Buffer.byteLength(body), ...headers },
      agent: false,
      rejectUnauthorized: false,
      ...(ca !== undefined && { ca }),
    };
    const outgoing = send(new URL(path, base), options, response => {
      const certificate = certificateOf(response.socket);
      let text = '';
      const finish = () => {
        clearTimeout(timer);
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text, certificate });
        outgoing.destroy();
      };
      response.setEncoding('utf8');
      response.on('data', (piece: string) => {
        text += piece;
        if (text.length > limits.doctor.answerText) finish();
      });
      response.on('end', finish);
      // A stream that is open never ends.
      if (String(response.headers['content-type']).startsWith('text/event-stream')) finish();
    });
    const timer = setTimeout(
      () => outgoing.destroy(new Error(`no answer within ${limits.doctor.probe / 1_000} s`)),
      limits.doctor.probe,
    );
    outgoing.on('error', error => {
      clearTimeout(timer);
      reject(error);
    });
    outgoing.end(body);
  });

const certificateOf = (socket: object): Probed['certificate'] => {
  if (!('authorized' in socket)) return null;
  const { authorized, authorizationError } = socket as TLSSocket;
  const { issuer, valid_to: validTo } = (socket as TLSSocket).getPeerCertificate();
  const name = issuer?.O ?? issuer?.CN ?? 'unknown';
  return {
    problem: authorized ? null : String(authorizationError),
    issuer: String(name),
    validTo: validTo ?? 'unknown',
  };
};
