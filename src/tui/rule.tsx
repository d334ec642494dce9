/** A horizontal rule with a title. */
import { Text } from 'ink';
import { line, wide } from '../client/text.ts';

export const Rule = (props: { title: string; width: number; style: object }) => {
  const title = line(props.title, props.width - 6);
  const rest = Math.max(0, props.width - wide(title) - 5);
  return (
    <Text wrap="truncate" {...props.style}>
      {`── ${title} ${'─'.repeat(rest)}`}
    </Text>
  );
};
