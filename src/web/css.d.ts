/** Styles that a component imports; esbuild collects them into one file. */
declare module '*.css';
