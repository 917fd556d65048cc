/**
 * Grades fraud prevention headers for WEB_APP_VIA_SERVER (version 3.3 of HMRC's fraud prevention specification) like HMRC's header
 * validator. It shares no parsing code with the builder, so that the two can't make the same mistake.
 */

export type FraudFinding = { readonly code: string; readonly message: string; readonly headers: readonly string[] };

/** `errors` make the headers invalid; `warnings` make them potentially invalid. */
export type FraudValidation = {
  readonly specVersion: '3.3';
  readonly code: 'VALID_HEADERS' | 'INVALID_HEADERS' | 'POTENTIALLY_INVALID_HEADERS';
  readonly message: string;
  readonly errors: readonly FraudFinding[];
  readonly warnings: readonly FraudFinding[];
};

/** All headers that HMRC requires for this connection method, in lower case. */
export const FRAUD_HEADER_NAMES = [
  'gov-client-connection-method',
  'gov-client-browser-js-user-agent',
  'gov-client-device-id',
  'gov-client-multi-factor',
  'gov-client-public-ip',
  'gov-client-public-ip-timestamp',
  'gov-client-public-port',
  'gov-client-screens',
  'gov-client-timezone',
  'gov-client-user-ids',
  'gov-client-window-size',
  'gov-vendor-forwarded',
  'gov-vendor-license-ids',
  'gov-vendor-product-name',
  'gov-vendor-public-ip',
  'gov-vendor-version',
] as const;
type FraudHeaderName = (typeof FRAUD_HEADER_NAMES)[number];

/**
 * If one of these is missing, that is only a warning, because not every sign-in has a second factor and not every product has a licence.
 */
const OPTIONAL_HEADERS: ReadonlySet<string> = new Set(['gov-client-multi-factor', 'gov-vendor-license-ids']);

/** Grades the headers of one request. Header names are case-insensitive. */
export function validateFraudHeaders(headers: Headers | Readonly<Record<string, string>>): FraudValidation {
  const receivedHeaders = new Headers(headers instanceof Headers ? headers : Object.entries(headers));
  const errors: FraudFinding[] = [];
  const warnings: FraudFinding[] = [];
  for (const name of FRAUD_HEADER_NAMES) {
    const value = receivedHeaders.get(name);
    if (value === null || value === '') {
      const missingHeader = { code: 'MISSING_HEADER', message: `Header ${name} is required.`, headers: [name] };
      (OPTIONAL_HEADERS.has(name) ? warnings : errors).push(
        OPTIONAL_HEADERS.has(name) ? { ...missingHeader, code: 'POTENTIALLY_INVALID_HEADER' } : missingHeader,
      );
      continue;
    }
    const { error, warning } = validateHeader(name, value, receivedHeaders);
    if (error !== undefined) errors.push({ code: 'INVALID_HEADER', message: error, headers: [name] });
    if (warning !== undefined) warnings.push({ code: 'POTENTIALLY_INVALID_HEADER', message: warning, headers: [name] });
  }
  errors.push(...validateCombination(receivedHeaders));
  if (errors.length > 0) return { specVersion: '3.3', code: 'INVALID_HEADERS', message: 'At least 1 header is invalid', errors, warnings };
  if (warnings.length > 0) {
    return {
      specVersion: '3.3',
      code: 'POTENTIALLY_INVALID_HEADERS',
      message: 'At least 1 header is potentially invalid',
      errors,
      warnings,
    };
  }
  return { specVersion: '3.3', code: 'VALID_HEADERS', message: 'All headers appear to be valid', errors, warnings };
}

type HeaderFinding = { readonly error?: string; readonly warning?: string };

function validateHeader(name: FraudHeaderName, value: string, all: Headers): HeaderFinding {
  if (!/^[\x20-\x7e]*$/.test(value)) return { error: 'Value must be US-ASCII; percent-encode everything else.' };
  if (/^(null|undefined|unknown|none|n\/?a)$/i.test(value)) return { error: 'Value must not be a placeholder.' };
  switch (name) {
    case 'gov-client-connection-method':
      return value === 'WEB_APP_VIA_SERVER' ? {} : { error: 'Value must be WEB_APP_VIA_SERVER.' };
    case 'gov-client-browser-js-user-agent':
      return /^[^ ]+\/\d/.test(value) ? {} : { warning: 'Value does not look like the user agent of a browser.' };
    case 'gov-client-device-id':
      return /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i.test(value) ? {} : { error: 'Value must be a UUID.' };
    case 'gov-client-multi-factor':
      return validateFactors(value);
    case 'gov-client-public-ip':
    case 'gov-vendor-public-ip':
      return validateAddress(value);
    case 'gov-client-public-ip-timestamp':
      return isTimestamp(value, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
        ? {}
        : { error: 'Value must be a time as yyyy-MM-ddThh:mm:ss.sssZ.' };
    case 'gov-client-public-port':
      return validatePort(value);
    case 'gov-client-screens':
      return findFirstFault(value.split(',').map(validateScreen));
    case 'gov-client-timezone':
      return /^UTC[+-](0\d|1[0-4]):[0-5]\d$/.test(value) ? {} : { error: 'Value must be a time zone as UTC±hh:mm.' };
    case 'gov-client-user-ids':
      return validateUserIds(value);
    case 'gov-client-window-size':
      return validateSize(readPairs(value), ['width', 'height']);
    case 'gov-vendor-forwarded':
      return validateForwarded(value, all);
    case 'gov-vendor-license-ids':
      return readPairs(value) ? {} : { error: 'Value must be key-value pairs.' };
    case 'gov-vendor-product-name':
      return decode(value) === undefined || value.includes(' ') ? { error: 'Value must be percent-encoded.' } : {};
    case 'gov-vendor-version':
      return validateVersions(value);
  }
}

/** Sending a timestamp without the IP address it belongs to is an error. */
function validateCombination(receivedHeaders: Headers): FraudFinding[] {
  const ipTimestamp = receivedHeaders.get('gov-client-public-ip-timestamp');
  if (ipTimestamp === null || receivedHeaders.get('gov-client-public-ip') !== null) return [];
  return [
    {
      code: 'INVALID_HEADERS',
      message: 'gov-client-public-ip-timestamp was sent without gov-client-public-ip.',
      headers: ['gov-client-public-ip', 'gov-client-public-ip-timestamp'],
    },
  ];
}

function validateFactors(value: string): HeaderFinding {
  const factors = value.split(',').map(readPairs);
  for (const factor of factors) {
    if (!factor) return { error: 'Value must be a list of key-value pairs, with keys and values percent-encoded.' };
    if (!['TOTP', 'AUTH_CODE', 'OTHER'].includes(factor.get('type') ?? '')) return { error: 'type must be TOTP, AUTH_CODE or OTHER.' };
    if (!isTimestamp(factor.get('timestamp') ?? '', /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?Z$/)) {
      return { error: 'timestamp must be a time in UTC.' };
    }
    if (!factor.get('unique-reference')) return { error: 'unique-reference must be given.' };
  }
  return {};
}

function validateScreen(value: string): HeaderFinding {
  const screen = readPairs(value);
  const size = validateSize(screen, ['width', 'height', 'colour-depth']);
  if (size.error !== undefined) return size;
  return /^(?!0+(\.0+)?$)\d+(\.\d+)?$/.test(screen?.get('scaling-factor') ?? '')
    ? {}
    : { error: 'scaling-factor must be a positive number.' };
}

function validateSize(size: Map<string, string> | undefined, keys: readonly string[]): HeaderFinding {
  if (!size) return { error: 'Value must be key-value pairs.' };
  const invalidKey = keys.find((key) => !/^[1-9]\d*$/.test(size.get(key) ?? ''));
  return invalidKey === undefined ? {} : { error: `${invalidKey} must be a positive whole number.` };
}

function validateUserIds(value: string): HeaderFinding {
  const ids = readPairs(value);
  if (!ids) return { error: 'Value must be key-value pairs, with keys and values percent-encoded.' };
  return ids.has('os') ? { warning: 'A browser does not know the sign-in of the operating system.' } : {};
}

function validateVersions(value: string): HeaderFinding {
  const versions = readPairs(value);
  if (!versions) return { error: 'Value must be key-value pairs.' };
  return versions.size < 2 ? { warning: 'Give the versions of both the client and the server part.' } : {};
}

function validatePort(value: string): HeaderFinding {
  if (!/^[1-9]\d{0,4}$/.test(value) || Number(value) > 65_535) return { error: 'Value must be a port from 1 to 65535.' };
  return value === '80' || value === '443' ? { error: 'Value must be the port of the client, not of a server.' } : {};
}

function validateForwarded(value: string, all: Headers): HeaderFinding {
  const hops = value.split(',').map(readPairs);
  for (const hop of hops) {
    const forwardedBy = hop?.get('by');
    const from = hop?.get('for');
    if (forwardedBy === undefined || from === undefined) return { error: 'Each hop must have by and for.' };
    const fault = findFirstFault([validateAddress(forwardedBy), validateAddress(from)]);
    if (fault.error !== undefined) return fault;
  }
  const first = hops[0];
  if (first?.get('by') !== all.get('gov-vendor-public-ip')) return { error: 'by of the first hop must be Gov-Vendor-Public-IP.' };
  if (first?.get('for') !== all.get('gov-client-public-ip')) return { error: 'for of the first hop must be Gov-Client-Public-IP.' };
  return {};
}

function validateAddress(value: string): HeaderFinding {
  const octets = value.split('.');
  if (octets.length === 4 && octets.every((octet) => /^(0|[1-9]\d{0,2})$/.test(octet) && Number(octet) <= 255)) {
    const [a = 0, b = 0] = octets.map(Number);
    const isPrivateV4 = a === 0 || a === 10 || a === 127 || a >= 224 || (a === 172 && b >= 16 && b <= 31) || (a === 192 && b === 168);
    return isPrivateV4 || (a === 169 && b === 254) || (a === 100 && b >= 64 && b <= 127)
      ? { error: 'Value must be a public IP address.' }
      : {};
  }
  if (!/^[\da-f:]+$/i.test(value) || !URL.canParse(`http://[${value}]/`)) return { error: 'Value must be an IP address.' };
  return /^(::1?$|f[cd]|fe[89ab]|ff)/i.test(value) ? { error: 'Value must be a public IP address.' } : {};
}

/** Returns decoded pairs by key, or undefined for an empty key or value, a repeated key, or an unencoded separator or character. */
function readPairs(text: string): Map<string, string> | undefined {
  const pairs = new Map<string, string>();
  for (const part of text.split('&')) {
    const separatorIndex = part.indexOf('=');
    const key = decode(part.slice(0, separatorIndex));
    const value = decode(part.slice(separatorIndex + 1));
    if (separatorIndex < 1 || !key || !value || pairs.has(key)) return undefined;
    pairs.set(key, value);
  }
  return pairs;
}

function decode(text: string): string | undefined {
  // RFC 3986 unreserved characters, and the sub-delimiters that browsers do not encode.
  if (!/^(?:[\w.~!*'()-]|%[\da-f]{2})*$/i.test(text)) return undefined;
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

function isTimestamp(value: string, shape: RegExp): boolean {
  return shape.test(value) && !Number.isNaN(Date.parse(value));
}

function findFirstFault(findings: readonly HeaderFinding[]): HeaderFinding {
  return findings.find(({ error }) => error !== undefined) ?? {};
}
