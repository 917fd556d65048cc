/**
 * The fraud prevention headers that the law requires on every VAT call, for a web application that calls HMRC through its
 * server (WEB_APP_VIA_SERVER in HMRC's fraud prevention guide, version 3.3). Unknown values are left out, because HMRC rejects placeholders.
 */
import { BlockList, isIP, isIPv6 } from 'node:net';
import type { BatchHeader } from '@portal/domain/sync/batch-headers.ts';
import type { Instant } from '@portal/domain/clock.ts';

/** Header names and values, ready to send. */
export type FraudHeaders = Readonly<Record<string, string>>;

/** Facts reported by the user's browser. `timezoneOffsetMinutes` is minutes east of UTC: 60 for London in summer. */
export type BrowserFacts = {
  readonly userAgent?: string;
  /** A UUID that the browser stores permanently. */
  readonly deviceId?: string;
  readonly screens?: readonly {
    readonly width: number;
    readonly height: number;
    readonly scalingFactor: number;
    readonly colourDepth: number;
  }[];
  readonly windowSize?: { readonly width: number; readonly height: number };
  readonly timezoneOffsetMinutes?: number;
};

/** The origin of the user's request, as seen by our outermost server. */
export type ConnectionFacts = { readonly clientIp?: string; readonly clientIpSeenAt?: Instant; readonly clientPort?: number };

/** The user's identity in our software, and the second factors used for this sign-in (never those of HMRC's sign-in). */
export type UserFacts = {
  /** Maps a product or realm name to the user's sign-in ID there. */
  readonly userIds: Readonly<Record<string, string>>;
  readonly multiFactor?: readonly {
    readonly type: 'TOTP' | 'AUTH_CODE' | 'OTHER';
    readonly at: Instant;
    /** A hash or an ID, never the secret itself. */
    readonly uniqueReference: string;
  }[];
};

/** The software vendor. `versions` names the browser part and the server part; `licenseIds` maps software names to hashed licence keys. */
export type VendorFacts = {
  readonly productName: string;
  readonly publicIp?: string;
  readonly versions: Readonly<Record<string, string>>;
  readonly licenseIds?: Readonly<Record<string, string>>;
};

export type FraudFacts = {
  readonly browser: BrowserFacts;
  readonly connection: ConnectionFacts;
  readonly user: UserFacts;
  readonly vendor: VendorFacts;
};

/** No time zone is more than 14 hours from UTC. */
const MAX_UTC_OFFSET_MINUTES = 14 * 60;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Builds the headers. Omits values that HMRC would reject (a loopback address, a server port, an empty ID). */
export function buildFraudHeaders(facts: FraudFacts): FraudHeaders {
  const { browser, connection, user, vendor } = facts;
  const clientIp = toPublicIp(connection.clientIp);
  const vendorIp = toPublicIp(vendor.publicIp);
  const headers: Record<string, string | undefined> = {
    'Gov-Client-Connection-Method': 'WEB_APP_VIA_SERVER',
    'Gov-Client-Browser-JS-User-Agent': browser.userAgent === undefined ? undefined : encodeNonAscii(browser.userAgent),
    'Gov-Client-Device-ID': browser.deviceId !== undefined && UUID.test(browser.deviceId) ? browser.deviceId : undefined,
    'Gov-Client-Multi-Factor': (user.multiFactor ?? [])
      .map(({ type, at, uniqueReference }) => formatKeyValues({ type, timestamp: at, 'unique-reference': uniqueReference }))
      .join(','),
    'Gov-Client-Public-IP': clientIp,
    'Gov-Client-Public-IP-Timestamp': clientIp === undefined ? undefined : connection.clientIpSeenAt,
    'Gov-Client-Public-Port': getClientPort(connection.clientPort),
    'Gov-Client-Screens': (browser.screens ?? [])
      .filter((screen) => isPositiveInteger(screen.width) && isPositiveInteger(screen.height) && screen.scalingFactor > 0)
      .map(({ width, height, scalingFactor, colourDepth }) =>
        formatKeyValues({ width, height, 'scaling-factor': scalingFactor, 'colour-depth': colourDepth }),
      )
      .join(','),
    'Gov-Client-Timezone': formatTimezone(browser.timezoneOffsetMinutes),
    'Gov-Client-User-IDs': formatKeyValues(user.userIds),
    'Gov-Client-Window-Size': formatWindowSize(browser.windowSize),
    'Gov-Vendor-Forwarded': clientIp === undefined || vendorIp === undefined ? undefined : formatKeyValues({ by: vendorIp, for: clientIp }),
    'Gov-Vendor-License-IDs': formatKeyValues(vendor.licenseIds ?? {}),
    'Gov-Vendor-Product-Name': encodeURIComponent(vendor.productName),
    'Gov-Vendor-Public-IP': vendorIp,
    'Gov-Vendor-Version': formatKeyValues(vendor.versions),
  };
  return Object.fromEntries(
    Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== ''),
  );
}

/** The product behind a refresh that no user started. */
export type BatchFacts = { readonly productName: string; readonly publicIp: string | undefined; readonly version: string };

/**
 * Builds the headers for a refresh that no user started (BATCH_PROCESS_DIRECT): those HMRC requires for which we have a true value. They
 * never identify a user or a device.
 */
export function buildBatchHeaders(
  { productName, publicIp: vendorAddress, version }: BatchFacts,
  requiredHeaders: readonly BatchHeader[],
): FraudHeaders {
  const values: Readonly<Record<BatchHeader, string | undefined>> = {
    'Gov-Client-Connection-Method': 'BATCH_PROCESS_DIRECT',
    'Gov-Client-Timezone': 'UTC+00:00',
    'Gov-Vendor-Product-Name': encodeURIComponent(productName),
    'Gov-Vendor-Public-IP': toPublicIp(vendorAddress),
    'Gov-Vendor-Version': formatKeyValues({ 'portal-server': version }),
  };
  return Object.fromEntries(requiredHeaders.flatMap((name) => (values[name] === undefined ? [] : [[name, values[name]]])));
}

/** Formats `k=v&k=v`. Percent-encodes keys and values, but not separators; omits pairs without a value. */
function formatKeyValues(pairs: Readonly<Record<string, string | number>>): string {
  return Object.entries(pairs)
    .filter(([key, value]) => key !== '' && value !== '')
    .map(([key, value]) => `${encodeURIComponent(key)}=${encodeURIComponent(value)}`)
    .join('&');
}

/** Keeps the user agent as reported by the browser; percent-encodes only characters that a header can't contain. */
function encodeNonAscii(text: string): string {
  return text.trim().replaceAll(/[^\x20-\x7e]/gu, (character) => encodeURIComponent(character.isWellFormed() ? character : '\ufffd'));
}

const NON_PUBLIC_ADDRESSES = new BlockList();
// Ranges from the IANA special-purpose registries: this network, private, shared, loopback, link-local, benchmarking, multicast and
// reserved.
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
] as const) {
  NON_PUBLIC_ADDRESSES.addSubnet(network, prefix, 'ipv4');
}
for (const [network, prefix] of [
  ['::', 127],
  ['fc00::', 7],
  ['fe80::', 10],
  ['ff00::', 8],
] as const) {
  NON_PUBLIC_ADDRESSES.addSubnet(network, prefix, 'ipv6');
}

/** Returns a public address, unwrapped from IPv4-mapped IPv6. Documentation ranges count as public, as in HMRC's own examples. */
function toPublicIp(address: string | undefined): string | undefined {
  if (address === undefined) return undefined;
  const unwrappedAddress = address.toLowerCase().startsWith('::ffff:') && isIP(address.slice(7)) === 4 ? address.slice(7) : address;
  if (isIP(unwrappedAddress) === 0 || unwrappedAddress.includes('%')) return undefined;
  return NON_PUBLIC_ADDRESSES.check(unwrappedAddress, isIPv6(unwrappedAddress) ? 'ipv6' : 'ipv4') ? undefined : unwrappedAddress;
}

/** Returns the client's port, except for 80 and 443, which HMRC rejects as server ports. */
function getClientPort(port: number | undefined): string | undefined {
  if (port === undefined || !Number.isInteger(port) || port < 1 || port > 65_535 || port === 80 || port === 443) return undefined;
  return String(port);
}

function formatTimezone(offsetMinutes: number | undefined): string | undefined {
  if (offsetMinutes === undefined || !Number.isInteger(offsetMinutes) || Math.abs(offsetMinutes) > MAX_UTC_OFFSET_MINUTES) return undefined;
  const absoluteAmount = Math.abs(offsetMinutes);
  const hours = String(Math.floor(absoluteAmount / 60)).padStart(2, '0');
  const minutes = String(absoluteAmount % 60).padStart(2, '0');
  return `UTC${offsetMinutes < 0 ? '-' : '+'}${hours}:${minutes}`;
}

function formatWindowSize(size: BrowserFacts['windowSize']): string | undefined {
  if (!size || !isPositiveInteger(size.width) || !isPositiveInteger(size.height)) return undefined;
  return formatKeyValues({ width: size.width, height: size.height });
}

function isPositiveInteger(value: number): boolean {
  return Number.isInteger(value) && value > 0;
}
