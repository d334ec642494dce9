/** The complete input of a request, as every part of the page shows it. */
import { clean } from '../../client/text.ts';
import type { Request } from '../../contract/answer.ts';
import type { Detail, OpenRequest } from '../../contract/session.ts';
import { questionsIn } from '../../session/request/detail.ts';
import { ToolInput } from './tool-input.tsx';
import { Questions } from './questions.tsx';

interface Props {
  request: OpenRequest;
  full: Request | null;
  detail: Detail | null;
  /** The questions are shown by their form. */
  isForm: boolean;
}

export const RequestInput = ({ request, full, detail, isForm }: Props) => {
  if (!full) return <p className="calm">Loading …</p>;
  if (full.input === null) {
    const text = detail?.request === request.id ? (detail.text ?? detail.line) : request.line;
    return <pre tabIndex={0}>{clean(text)}</pre>;
  }
  if (request.kind === 'question')
    return isForm ? null : <Questions questions={questionsIn(full.input)} onAnswer={null} isBusy={false} />;
  return <ToolInput tool={request.tool} input={full.input} />;
};
