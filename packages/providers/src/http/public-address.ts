/**
 * Checks that an IP address is on the public internet. Everything else (this computer, our network, a cloud's metadata service) is
 * rejected.
 */
import { BlockList, isIP, isIPv4 } from 'node:net';

/** IANA's special-purpose registries (RFC 6890), and multicast. */
const NON_PUBLIC_IPV4 = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const;

/**
 * Ranges within 2000::/3, the only range assigned for public use: Teredo, ORCHIDs, documentation, and 6to4, whose addresses contain an IPv4
 * address that a gateway would reach.
 */
const NON_PUBLIC_IPV6 = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const;

const blockList = new BlockList();
for (const [network, prefix] of NON_PUBLIC_IPV4) blockList.addSubnet(network, prefix, 'ipv4');
for (const [network, prefix] of NON_PUBLIC_IPV6) blockList.addSubnet(network, prefix, 'ipv6');

const globalUnicast = new BlockList();
globalUnicast.addSubnet('2000::', 3, 'ipv6');

/** IPv4-mapped (::ffff:10.0.0.1), NAT64 and every other range outside 2000::/3 aren't public either. */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0) return false;
  if (isIPv4(address)) return !blockList.check(address, 'ipv4');
  const [addressWithoutZone = ''] = address.split('%');
  return globalUnicast.check(addressWithoutZone, 'ipv6') && !blockList.check(addressWithoutZone, 'ipv6');
}
