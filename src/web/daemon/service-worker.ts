/** Registers the service worker. The policy can name this one script only, so no other worker can ever be started. */

const script = '/sw.js';

export const registerServiceWorker = async (): Promise<void> => {
  if (!('serviceWorker' in navigator)) return;
  const policy = (globalThis as { trustedTypes?: TrustedTypes }).trustedTypes?.createPolicy(
    'drover-service-worker',
    { createScriptURL: () => script },
  );
  await navigator.serviceWorker.register((policy?.createScriptURL('') ?? script) as string);
};

interface TrustedTypes {
  createPolicy: (
    name: string,
    rules: { createScriptURL: () => string },
  ) => { createScriptURL: (given: string) => unknown };
}
