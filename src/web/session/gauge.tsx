/** Shows how full the context is. */
import type { ContextUse } from '../../contract/session.ts';
import './gauge.css';

export const Gauge = ({ context: { tokens, window, percent } }: { context: ContextUse }) => {
  const short = tokens >= 1_000 ? `${Math.round(tokens / 1_000)}k` : String(tokens);
  const share = percent === null ? null : Math.max(0, Math.min(100, Math.round(percent)));
  const tone = share === null || share < 60 ? 'calm' : share < 85 ? 'full' : 'over';
  const title = `${tokens} tokens${window === null ? '' : ` of ${window}`} in use`;
  return (
    <div className={`gauge ${tone}`} title={title}>
      <span>context</span>
      {share !== null && (
        <meter min={0} max={100} value={share} aria-label="Context in use">
          {share} %
        </meter>
      )}
      <span className="number">{share === null ? `${short} tokens` : `${share} %`}</span>
    </div>
  );
};
