/** Markdown; the text as it is until the parser is loaded, or if it cannot be. */
import { clean } from '../../client/text.ts';
import { lazyView } from './lazy-view.tsx';

const PlainText = ({ text }: { text: string }) => (
  <div className="markdown">
    <p>{clean(text)}</p>
  </div>
);

export const Markdown = lazyView(async () => (await import('./markdown.tsx')).Markdown, {
  Waiting: PlainText,
  isEnough: true,
});
