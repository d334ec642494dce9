// Imported first by every script: says what is wrong where Node is too old, before anything else fails.
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`drover: Node ${process.versions.node} is too old. Install Node 20.19 or newer.`);
  process.exit(1);
}
