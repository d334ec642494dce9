/** Chooses the host whose sessions are listed. It is a part of the filter, so that a person can also type it. */
import type { FleetSummary } from '../../contract/fleet.ts';
import { hostIn, withHost } from './host-in-filter.ts';

interface Props {
  fleet: FleetSummary;
  filter: string;
  onFilter: (filter: string) => void;
}

export const HostFilter = ({ fleet: { hosts }, filter, onFilter }: Props) => {
  const chosen = hostIn(filter);
  const isOther = chosen !== '' && chosen !== 'local' && !hosts.some(({ name }) => name === chosen);
  return (
    <select
      aria-label="Host"
      value={chosen}
      onChange={event => onFilter(withHost(filter, event.target.value))}
    >
      <option value="">All hosts</option>
      <option value="local">This one</option>
      {hosts.map(({ name, isAway }) => (
        <option key={name} value={name}>
          {name}
          {isAway ? ' (away)' : ''}
        </option>
      ))}
      {isOther && <option value={chosen}>{chosen}</option>}
    </select>
  );
};
