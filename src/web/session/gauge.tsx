/** Shows how full the context is, or how much of a quota is used. */
import type { ContextUse } from '../../contract/session.ts';
import './gauge.css';

export const Gauge = ({ context: { tokens, window, percent, windowSource } }: { context: ContextUse }) => {
  const short = tokens >= 1_000 ? `${Math.round(tokens / 1_000)}k` : String(tokens);
  const title = `${tokens} tokens${window === null ? '' : ` of ${window}${windowSource === 'assumed' ? ' (assumed)' : ''}`} in use`;
  return (
    <Bar label="context" name="Context in use" title={title} percent={percent} text={`${short} tokens`} />
  );
};

/** A bar with its share; without one, a text. */
export const Bar = (props: {
  label: string;
  name: string;
  title: string;
  percent: number | null;
  text?: string;
}) => {
  const { label, name, title, percent, text } = props;
  const share = percent === null ? null : Math.max(0, Math.min(100, Math.round(percent)));
  const tone = share === null || share < 60 ? 'calm' : share < 85 ? 'full' : 'over';
  return (
    <div className={`gauge ${tone}`} title={title}>
      <span>{label}</span>
      {share !== null && (
        <meter min={0} max={100} value={share} aria-label={name}>
          {share} %
        </meter>
      )}
      <span className="number">{share === null ? text : `${share} %`}</span>
    </div>
  );
};
