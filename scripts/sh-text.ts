/** Lets vitest import a shell script as text, as the build does. */
export const shText = {
  name: 'sh-text',
  transform: (code: string, id: string): string | undefined =>
    id.endsWith('.sh') ? `export default ${JSON.stringify(code)};` : undefined,
};
