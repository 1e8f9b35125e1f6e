import { lookup } from 'node:dns/promises'
import { BlockList, isIP } from 'node:net'

/** Networks that a document from outside must not make this process call. */
const PRIVATE = new BlockList()
for (const [network, prefix] of [
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
  ['224.0.0.0', 3],
] as const) {
  PRIVATE.addSubnet(network, prefix, 'ipv4')
}
// Some embed an IPv4 address, which a translator may route to a private network.
for (const [network, prefix] of [
  ['::', 96],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['100::', 64],
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
] as const) {
  PRIVATE.addSubnet(network, prefix, 'ipv6')
}

/**
 * Whether a host is, or resolves to, this machine or a private network. A name that does not
 * resolve is not.
 */
export async function isPrivateHost(hostname: string): Promise<boolean> {
  const host = hostname.replaceAll(/^\[|\]$|\.$/g, '').toLowerCase()
  if (isIP(host) !== 0) return isPrivateAddress(host)
  if (/(?:^|\.)(?:localhost|local|internal)$/.test(host)) return true
  const found = await lookup(host, { all: true }).catch(() => [])
  return found.some(({ address }) => isPrivateAddress(address))
}

const isPrivateAddress = (address: string): boolean =>
  PRIVATE.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')
