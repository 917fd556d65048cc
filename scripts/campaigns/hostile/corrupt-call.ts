/** Corrupts one part of a valid call: a field, the whole body, or its envelope. */
import { pick, pickWeighted, type RandomSource } from '../../chaos/random.ts';
import { toSentRequest, type Call, type Corrupt, type Corruption, type ForeignDataSource } from './call.ts';
import { corruptCookie, corruptHeader, corruptPath, corruptWire, dropKey } from './corrupt-envelope.ts';
import { pickHostileValue, RawJson, writeJson } from './hostile-values.ts';

type CorruptionKind = { readonly weight: number; readonly create: Corrupt };

const describeValue = (value: unknown): string => writeJson(value ?? null).slice(0, 80);

/** Corrupts a field of the query or body. */
function corruptField(random: RandomSource, call: Call, foreignData: ForeignDataSource): Corruption | undefined {
  const isObjectBody = typeof call.body === 'object';
  const input: Readonly<Record<string, unknown>> = isObjectBody ? (call.body as Record<string, unknown>) : call.query;
  const names = [...new Set([...Object.keys(input), ...call.fields])];
  if (names.length === 0) return undefined;
  const field = pick(random, names);
  const valid = input[field];
  const foreignId = field.endsWith('_id') && random() < 0.3 ? foreignData.id(field) : undefined;
  const isRemoved = foreignId === undefined && random() < 0.08;
  const value = foreignId ?? (isRemoved ? undefined : pickHostileValue(random, valid));
  const changedInput = { ...input, [field]: value };
  if (isRemoved) delete changedInput[field];
  const sentCall = toSentRequest({ ...call, query: isObjectBody ? call.query : {}, body: isObjectBody ? {} : call.body });
  return {
    description: `${isObjectBody ? 'body' : 'query'} ${field} = ${isRemoved ? 'missing' : describeValue(value)}`,
    field,
    mustFail: foreignId !== undefined && field === 'company_id' && field in input && call.belongsToTenant,
    sent: isObjectBody ? { ...sentCall, body: writeJson(changedInput) } : { ...sentCall, url: `${call.path}?${toQuery(changedInput)}` },
  };
}

/** Encodes objects and lists the way software does in URLs: repeated, or with brackets. */
function toQuery(input: Readonly<Record<string, unknown>>): string {
  return Object.entries(input)
    .flatMap(([name, value]) => {
      if (Array.isArray(value)) return value.slice(0, 50).map((item) => [name, toText(item)]);
      if (typeof value === 'object' && value !== null && !(value instanceof RawJson)) return [[`${name}[a]`, 'b']];
      return [[name, toText(value)]];
    })
    .map(([name = '', value = '']) => `${encode(name)}=${encode(value)}`)
    .join('&')
    .slice(0, 12_000);
}

const toText = (value: unknown): string =>
  value instanceof RawJson ? value.text : typeof value === 'string' ? value : JSON.stringify(value);
/** Lone surrogates can't be encoded, so they are sent as invalid UTF-8. */
const encode = (text: string): string => (text.isWellFormed() ? encodeURIComponent(text) : '%ED%A0%80');

const BODY_CORRUPTIONS: readonly ((json: string) => [string, string])[] = [
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

const CONTENT_TYPES = [
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
  const sentCall = toSentRequest(call);
  if (random() < 0.3) {
    const type = pick(random, CONTENT_TYPES);
    return {
      description: `content type ${type}`,
      field: undefined,
      mustFail: false,
      sent: { ...sentCall, headers: { ...sentCall.headers, 'content-type': type } },
    };
  }
  const [body, description] = pick(random, BODY_CORRUPTIONS)(JSON.stringify(call.body));
  return { description: `body ${description}`, field: undefined, mustFail: false, sent: { ...sentCall, body } };
}

const KINDS: readonly CorruptionKind[] = [
  { weight: 62, create: corruptField },
  { weight: 10, create: corruptBody },
  { weight: 9, create: corruptHeader },
  { weight: 9, create: corruptCookie },
  { weight: 6, create: corruptPath },
  { weight: 2, create: dropKey },
  { weight: 0.6, create: corruptWire },
];

/** Types that are never valid text or a valid number, and corruptions that are rejected before the fields are read. */
const REFUSED_KINDS: readonly CorruptionKind[] = [
  { weight: 50, create: corruptType },
  { weight: 15, create: (random, call, foreignData) => keepIfRejected(corruptCookie(random, call, foreignData)) },
  { weight: 15, create: (random, call) => keepIfRejected(corruptHeader(random, call)) },
  { weight: 10, create: (random, call) => cutOff(random, call) },
  { weight: 5, create: dropKey },
];

function corruptType(random: RandomSource, call: Call): Corruption | undefined {
  if (typeof call.body !== 'object') return undefined;
  const textFields = Object.entries(call.body).filter(([, value]) => typeof value === 'string');
  if (textFields.length === 0) return undefined;
  const [field] = pick(random, textFields);
  const value = pick(random, [null, {}, [], 7, true, [call.body[field]], 'x'.repeat(100_000), 'a\0b', '\u{d800}']);
  const sentCall = toSentRequest(call);
  return {
    description: `body ${field} = ${describeValue(value)}`,
    field,
    mustFail: false,
    sent: { ...sentCall, body: writeJson({ ...call.body, [field]: value }) },
  };
}

const keepIfRejected = (corruption: Corruption | undefined): Corruption | undefined =>
  corruption?.mustFail === true ? corruption : undefined;

function cutOff(random: RandomSource, call: Call): Corruption | undefined {
  if (typeof call.body !== 'object') return undefined;
  const [body, description] = pick(random, BODY_CORRUPTIONS.slice(0, 3))(JSON.stringify(call.body));
  return { description: `body ${description}`, field: undefined, mustFail: true, sent: { ...toSentRequest(call), body } };
}

/** `isSafe`: uses only corruptions that must be rejected, for steps whose input the rest of the sequence depends on. */
export function corruptCall(random: RandomSource, call: Call, foreignData: ForeignDataSource, isSafe: boolean): Corruption {
  for (let attempt = 0; attempt < 20; attempt += 1) {
    const corruption = pickWeighted(random, isSafe ? REFUSED_KINDS : KINDS).create(random, call, foreignData);
    if (corruption !== undefined) return corruption;
  }
  return corruptPath(random, call);
}
