/** The form of an MCP server: a text or a choice for each field. */
import { useState } from 'react';
import { clean } from '../../client/text.ts';
import type { Answer, Choice } from '../../contract/answer.ts';

interface Props {
  accept: Choice;
  isBusy: boolean;
  onAccept: (answer: Answer) => void;
}

export const ValueForm = ({ accept, isBusy, onAccept }: Props) => {
  const [values, setValues] = useState<Record<string, string>>({});
  const fields = accept.fields ?? [];
  const given = Object.fromEntries(Object.entries(values).filter(([, value]) => value.trim() !== ''));
  const isWhole = fields.every(({ name, isRequired }) => !isRequired || name in given);
  return (
    <form
      className="answer values"
      onSubmit={event => {
        event.preventDefault();
        if (isWhole && !isBusy) onAccept({ values: given });
      }}
    >
      {fields.map(({ name, label, isRequired, options }) => (
        <label key={name}>
          {clean(label)}
          {!isRequired && <span className="aim"> (optional)</span>}
          {options ? (
            <select
              value={values[name] ?? ''}
              onChange={event => setValues({ ...values, [name]: event.target.value })}
            >
              <option value="">-</option>
              {options.map(option => (
                <option key={option} value={option}>
                  {clean(option)}
                </option>
              ))}
            </select>
          ) : (
            <input
              value={values[name] ?? ''}
              onChange={event => setValues({ ...values, [name]: event.target.value })}
            />
          )}
        </label>
      ))}
      <div className="buttons">
        <button type="submit" className="main-action" disabled={!isWhole || isBusy}>
          {clean(accept.label)}
        </button>
      </div>
    </form>
  );
};
