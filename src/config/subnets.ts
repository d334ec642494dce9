/** Addresses and subnets, as a config names them: `172.17.0.1`, `172.17.0.0/16`, `fd00::/8`. */
import { BlockList, isIP } from 'node:net';

export const isSubnet = (text: string): boolean => {
  const [address = '', bits, ...more] = text.split('/');
  const family = isIP(address);
  if (family === 0 || more.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128));
};

/** Whether an address is in one of these subnets. An IPv4 address may be written as IPv6. */
export const isWithinSubnets = (address: string, subnets: readonly string[]): boolean => {
  const list = new BlockList();
  for (const subnet of subnets.filter(isSubnet)) {
    const [net = '', bits] = subnet.split('/');
    if (bits === undefined) list.addAddress(net, familyOf(net));
    else list.addSubnet(net, Number(bits), familyOf(net));
  }
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '');
  return isIP(plain) !== 0 && list.check(plain, familyOf(plain));
};

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 6 ? 'ipv6' : 'ipv4');
