/** Corrupts a call's envelope: headers, cookies, path and method, and the bytes on the wire. */
import { pick, type RandomSource } from '../../chaos/random.ts';
import { toSentRequest, type Call, type Corruption, type ForeignDataSource } from './call.ts';

const SESSION = 'portal_session';

type HeaderChange = readonly [name: string, value: string, mustFail?: boolean];
const HEADERS: readonly HeaderChange[] = [
  ['origin', 'https://evil.example', true],
  ['origin', 'null', true],
  ['sec-fetch-site', 'cross-site', true],
  ['sec-fetch-site', 'same-site', true],
  ['x-forwarded-for', '127.0.0.1, 10.0.0.1'],
  ['x-forwarded-for', 'not an address'],
  ['x-forwarded-for', `${'1.2.3.4,'.repeat(500)}1.2.3.4`],
  ['x-forwarded-host', 'evil.example'],
  ['x-forwarded-proto', 'javascript'],
  ['x-forwarded-client-port', '99999999999'],
  ['x-http-method-override', 'DELETE'],
  ['accept', 'text/html'],
  ['accept', '*/*;q=x'],
  ['accept-encoding', 'gzip;q=0, *;q=9'],
  ['range', 'bytes=0-0,-1,5-2'],
  ['if-none-match', '*'],
  ['if-modified-since', 'yesterday'],
  ['content-encoding', 'gzip'],
  ['portal-device', '%E0%A4%A'],
  ['portal-device', encodeURIComponent('{"__proto__":1}')],
  ['portal-device', 'x'.repeat(6_000)],
  ['portal-idle', '1'],
  ['traceparent', '00-00000000000000000000000000000000-0000000000000000-ff'],
  ['x-request-id', "'; drop table users; --"],
  ['user-agent', `${'U'.repeat(5_000)}`],
  ['user-agent', '\u00ff\u00fe=cmd'],
  ['authorization', 'Bearer x'],
  ['idempotency-key', 'k'.repeat(500)],
  ['idempotency-key', 'short'],
  ['prefer', 'respond-async'],
  ['upgrade', 'h2c'],
  ['connection', 'close'],
];

export function corruptHeader(random: RandomSource, call: Call): Corruption {
  const [name, value, mustFail = false] = pick(random, HEADERS);
  const sentCall = toSentRequest(call);
  // An app without a session doesn't send this header, and neither does a browser to a webhook.
  const isCrossSite = mustFail && call.method === 'POST' && !call.path.startsWith('/portal/webhooks/');
  return {
    description: `header ${name}: ${value.slice(0, 60)}`,
    field: undefined,
    mustFail: isCrossSite,
    sent: { ...sentCall, headers: { ...sentCall.headers, [name]: value } },
  };
}

export function dropKey(_random: RandomSource, call: Call): Corruption | undefined {
  if (!call.needsKey) return undefined;
  const { 'idempotency-key': _, ...headers } = call.headers;
  return { description: 'without its Idempotency-Key', field: undefined, mustFail: true, sent: toSentRequest({ ...call, headers }) };
}

export function corruptCookie(random: RandomSource, call: Call, foreignData: ForeignDataSource): Corruption | undefined {
  const ownSession = call.cookies.get(SESSION);
  if (ownSession === undefined) return undefined;
  // If the call doesn't name a tenant, the stranger's session would make it on the stranger's own behalf.
  const foreignSession = call.belongsToTenant ? foreignData.session() : undefined;
  const [session, description, isForeign] = pick<readonly [string | undefined, string, boolean]>(random, [
    [undefined, 'missing', false],
    ['', 'empty', false],
    [ownSession.slice(0, -1), 'cut off', false],
    [`${ownSession}x`, 'longer', false],
    [ownSession.toLowerCase(), 'in lower case', false],
    ['%00', 'a NUL', false],
    ['a'.repeat(4_000), 'very long', false],
    ['../../x', 'a path', false],
    ...(foreignSession === undefined
      ? []
      : [[foreignSession, 'of a stranger', true] as const, [foreignSession, 'of a stranger', true] as const]),
  ]);
  const cookies = new Map(call.cookies);
  if (session === undefined) cookies.delete(SESSION);
  else cookies.set(SESSION, session);
  const mustFail = isForeign ? call.belongsToTenant : call.needsSession && session !== ownSession;
  return { description: `session ${description}`, field: undefined, mustFail, sent: toSentRequest({ ...call, cookies }) };
}

const PATHS: readonly ((path: string) => string)[] = [
  (path) => `${path}/`,
  (path) => `${path}//`,
  (path) => path.replace('/portal', '/portal/..;/portal'),
  (path) => path.replace('/portal/', '/portal//'),
  (path) => path.replace('/portal/', '/portal/./'),
  (path) => path.replace('/portal/', '/portal/%2e%2e/portal/'),
  (path) => `${path}%00`,
  (path) => `${path}%ff`,
  (path) => `${path}%`,
  (path) => `${path};jsessionid=1`,
  (path) => `${path}.json`,
  (path) => path.toUpperCase(),
  (path) => `${path}/${'a/'.repeat(2_000)}`,
  (path) => path.replaceAll('/', '%2f'),
  (path) => `http://evil.example${path}`,
];
const METHODS = ['PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'TRACE', 'POST', 'GET', 'PROPFIND'];

export function corruptPath(random: RandomSource, call: Call): Corruption {
  const sentCall = toSentRequest(call);
  const [, search = ''] = sentCall.url.split('?');
  if (random() < 0.4) {
    const method = pick(
      random,
      METHODS.filter((name) => name !== call.method),
    );
    return { description: `method ${method}`, field: undefined, mustFail: false, sent: { ...sentCall, method } };
  }
  const path = pick(random, PATHS)(call.path);
  return {
    description: `path ${path.slice(0, 80)}`,
    field: undefined,
    mustFail: false,
    sent: { ...sentCall, url: search === '' ? path : `${path}?${search}` },
  };
}

/** Corruptions that only a raw socket can send. */
export function corruptWire(random: RandomSource, call: Call): Corruption {
  const { method, url, headers, body = '' } = toSentRequest(call);
  const lines = Object.entries({ host: 'localhost', ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  const bodyText = body.toString();
  const length = Buffer.byteLength(bodyText);
  const start = (extra: string): string => `${method} ${url} HTTP/1.1\r\n${lines.join('')}${extra}\r\n`;
  const [bytes, description] = pick<readonly [string, string]>(random, [
    [`${start(`content-length: ${length + 50}\r\n`)}${bodyText}`, 'body shorter than its length, then closed'],
    [`${start(`content-length: ${Math.max(0, length - 3)}\r\n`)}${bodyText}`, 'body longer than its length'],
    [`${start(`content-length: ${length}\r\ntransfer-encoding: chunked\r\n`)}0\r\n\r\n`, 'both length and chunks'],
    [`${start('transfer-encoding: chunked\r\n')}ZZ\r\n${bodyText}\r\n0\r\n\r\n`, 'bad chunk size'],
    [`${start('content-length: -1\r\n')}${bodyText}`, 'negative length'],
    [`${start(`content-length: ${length}\r\ncontent-length: ${length + 1}\r\n`)}${bodyText}`, 'two lengths'],
    [`${start(`x-injected: a\rb\nc: d\r\ncontent-length: ${length}\r\n`)}${bodyText}`, 'header with bare line breaks'],
    [`${start(`x-big: ${'h'.repeat(40_000)}\r\ncontent-length: ${length}\r\n`)}${bodyText}`, 'very long header'],
    [start('').slice(0, 40), 'half a request line'],
  ]);
  return { description: `wire: ${description}`, field: undefined, mustFail: false, sent: { bytes, closesAfter: true } };
}
