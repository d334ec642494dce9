// Runs inside a network namespace (rig/network.ts), which lasts as long as this process. Orders come as lines of JSON on stdin, and
// this process ends with it. Sockets in the file system lead out of the namespace, whatever becomes of its network.
import { connect, createServer } from 'node:net';
import { createInterface } from 'node:readline';

const join = (one, other) => {
  for (const [from, to] of [
    [one, other],
    [other, one],
  ]) {
    from.on('error', () => to.destroy());
    from.on('close', () => to.destroy());
    from.pipe(to);
  }
};

createInterface({ input: process.stdin })
  // `from` and `to`: a port of the loopback here, or a path.
  .on('line', line => {
    const { from, to } = JSON.parse(line);
    const at = end => (typeof end === 'number' ? { host: '127.0.0.1', port: end } : { path: end });
    createServer(client => join(client, connect(at(to)))).listen(at(from), () => console.log('open'));
  })
  .on('close', () => process.exit(0));

console.log('ready');
