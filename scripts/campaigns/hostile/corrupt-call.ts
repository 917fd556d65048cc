/** Corrupts one part of a valid call: a field, the whole body, or its envelope. */
import { pick, pickWeighted, type RandomSource } from '../../chaos/random.ts';
import { toSent, type Call, type Corrupt, type Corruption, type Foreign } from './call.ts';
import { corruptCookie, corruptHeader, corruptPath, corruptWire, dropKey } from './corrupt-envelope.ts';
import { pickHostileValue, RawJson, writeJson } from './hostile-values.ts';

type Kind = { readonly weight: number; readonly create: Corrupt };

const describeValue = (value: unknown): string => writeJson(value ?? null).slice(0, 80);

/** Corrupts a field of the query or body. */
function corruptField(random: RandomSource, call: Call, foreign: Foreign): Corruption | undefined {
  const isBody = typeof call.body === 'object';
  const input: Readonly<Record<string, unknown>> = isBody ? (call.body as Record<string, unknown>) : call.query;
  const names = [...new Set([...Object.keys(input), ...call.fields])];
  if (names.length === 0) return undefined;
  const field = pick(random, names);
  const valid = input[field];
  const foreignId = field.endsWith('_id') && random() < 0.3 ? foreign.id(field) : undefined;
  const isRemoved = foreignId === undefined && random() < 0.08;
  const value = foreignId ?? (isRemoved ? undefined : pickHostileValue(random, valid));
  const changed = { ...input, [field]: value };
  if (isRemoved) delete changed[field];
  const sent = toSent({ ...call, query: isBody ? call.query : {}, body: isBody ? {} : call.body });
  return {
    description: `${isBody ? 'body' : 'query'} ${field} = ${isRemoved ? 'missing' : describeValue(value)}`,
    field,
    mustFail: foreignId !== undefined && field === 'company_id' && field in input && call.isTenants,
    sent: isBody ? { ...sent, body: writeJson(changed) } : { ...sent, url: `${call.path}?${toQuery(changed)}` },
  };
}

/** Encodes objects and lists the way software does in URLs: repeated, or with brackets. */
function toQuery(input: Readonly<Record<string, unknown>>): string {
  return Object.entries(input)
    .flatMap(([name, value]) => {
      if (Array.isArray(value)) return value.slice(0, 50).map((item) => [name, asText(item)]);
      if (typeof value === 'object' && value !== null && !(value instanceof RawJson)) return [[`${name}[a]`, 'b']];
      return [[name, asText(value)]];
    })
    .map(([name = '', value = '']) => `${encode(name)}=${encode(value)}`)
    .join('&')
    .slice(0, 12_000);
}

const asText = (value: unknown): string =>
  value instanceof RawJson ? value.text : typeof value === 'string' ? value : JSON.stringify(value);
/** Lone surrogates can't be encoded, so they are sent as invalid UTF-8. */
const encode = (text: string): string => (text.isWellFormed() ? encodeURIComponent(text) : '%ED%A0%80');

const BODIES: readonly ((json: string) => [string, string])[] = [
  (json) => [json.slice(0, -1), 'cut off by one letter'],
  (json) => [json.slice(0, json.length / 2), 'cut off in the middle'],
  (json) => [`${json}${json}`, 'twice'],
  (json) => [`\uFEFF${json}`, 'with a byte order mark'],
  (json) => [`[${json}]`, 'in a list'],
  (json) => [JSON.stringify(json), 'as a string'],
  () => ['', 'empty'],
  () => ['null', 'null'],
  () => ['0', 'a number'],
  () => ['"x"', 'a string'],
  () => ['{"__proto__":{"company_id":"5b0c1f6e-3f0a-4b7e-9c55-0f2d7f6a9d11"}}', 'only __proto__'],
  (json) => [json.replace(/^\{/, '{"__proto__":{"is_operator":true},'), 'with __proto__'],
  (json) => [json.replace(/^\{/, '{"constructor":{"prototype":{"x":1}},'), 'with constructor'],
  () => ['{"a":['.repeat(20_000), 'deep and open'],
  (json) => [json.replaceAll('"', "'"), 'with single quotes'],
  (json) => [`${json.slice(0, -1)},}`, 'with a comma too many'],
  (json) => [json.replace('{', `{"padding":"${'p'.repeat(1_100_000)}",`), 'longer than a megabyte'],
];

const TYPES = [
  'text/plain',
  'text/html',
  'application/xml',
  'multipart/form-data; boundary=x',
  'application/x-www-form-urlencoded',
  'application/json; charset=utf-16',
  'application/json;;;',
  'APPLICATION/JSON',
  'application/octet-stream',
  '*/*',
  'x',
];

function corruptBody(random: RandomSource, call: Call): Corruption | undefined {
  if (typeof call.body !== 'object') return undefined;
  const sent = toSent(call);
  if (random() < 0.3) {
    const type = pick(random, TYPES);
    return {
      description: `content type ${type}`,
      field: undefined,
      mustFail: false,
      sent: { ...sent, headers: { ...sent.headers, 'content-type': type } },
    };
  }
  const [body, description] = pick(random, BODIES)(JSON.stringify(call.body));
  return { description: `body ${description}`, field: undefined, mustFail: false, sent: { ...sent, body } };
}

const KINDS: readonly Kind[] = [
  { weight: 62, create: corruptField },
  { weight: 10, create: corruptBody },
  { weight: 9, create: corruptHeader },
  { weight: 9, create: corruptCookie },
  { weight: 6, create: corruptPath },
  { weight: 2, create: dropKey },
  { weight: 0.6, create: corruptWire },
];

/** Types that are never valid text or a valid number, and corruptions that are rejected before the fields are read. */
const REFUSED_KINDS: readonly Kind[] = [
  { weight: 50, create: corruptType },
  { weight: 15, create: (random, call, foreign) => keepRejected(corruptCookie(random, call, foreign)) },
  { weight: 15, create: (random, call) => keepRejected(corruptHeader(random, call)) },
  { weight: 10, create: (random, call) => cutOff(random, call) },
  { weight: 5, create: dropKey },
];

function corruptType(random: RandomSource, call: Call): Corruption | undefined {
  if (typeof call.body !== 'object') return undefined;
  const texts = Object.entries(call.body).filter(([, value]) => typeof value === 'string');
  if (texts.length === 0) return undefined;
  const [field] = pick(random, texts);
  const value = pick(random, [null, {}, [], 7, true, [call.body[field]], 'x'.repeat(100_000), 'a\0b', '\u{d800}']);
  const sent = toSent(call);
  return {
    description: `body ${field} = ${describeValue(value)}`,
    field,
    mustFail: false,
    sent: { ...sent, body: writeJson({ ...call.body, [field]: value }) },
  };
}

const keepRejected = (corruption: Corruption | undefined): Corruption | undefined =>
  corruption?.mustFail === true ? corruption : undefined;

function cutOff(random: RandomSource, call: Call): Corruption | undefined {
  if (typeof call.body !== 'object') return undefined;
  const [body, description] = pick(random, BODIES.slice(0, 3))(JSON.stringify(call.body));
  return { description: `body ${description}`, field: undefined, mustFail: true, sent: { ...toSent(call), body } };
}

/** `isSafe`: uses only corruptions that must be rejected, for steps whose input the rest of the sequence depends on. */
export function corruptCall(random: RandomSource, call: Call, foreign: Foreign, isSafe: boolean): Corruption {
  for (let attempt = 0; attempt < 20; attempt += 1) {
    const corruption = pickWeighted(random, isSafe ? REFUSED_KINDS : KINDS).create(random, call, foreign);
    if (corruption !== undefined) return corruption;
  }
  return corruptPath(random, call);
}
