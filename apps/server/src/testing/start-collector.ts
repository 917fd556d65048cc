/** An OpenTelemetry collector for tests: receives OTLP over real HTTP and decodes the protobuf (opentelemetry-proto, trace/v1). */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

export type ReceivedSpan = {
  readonly traceId: string;
  readonly spanId: string;
  /** Empty for the root span of a trace. */
  readonly parentId: string;
  readonly name: string;
  readonly kind: number;
  readonly attributes: Readonly<Record<string, string | number | boolean>>;
  /** Trace ids that the span links to. */
  readonly links: readonly string[];
  readonly service: string;
};

export type Collector = {
  readonly url: string;
  readonly spans: ReceivedSpan[];
  /** Everything received, to search it for data that it must not contain. */
  readonly text: () => string;
  readonly headers: () => Readonly<Record<string, unknown>>;
  close(): void;
};

export async function startCollector(): Promise<Collector> {
  const spans: ReceivedSpan[] = [];
  let text = '';
  let headers: Readonly<Record<string, unknown>> = {};
  const server = createServer((request, response) => {
    void buffer(request).then((body) => {
      if (request.url === '/v1/traces') spans.push(...decodeRequest(body));
      text += body.toString('latin1');
      headers = request.headers;
      response.setHeader('content-type', 'application/x-protobuf').end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, spans, text: () => text, headers: () => headers, close: () => void server.close() };
}

type Field = { readonly number: number; readonly value: bigint | Buffer };

/** Reads a message's fields: varints, numbers of 8 and 4 bytes, and everything with a length (protobuf.dev/programming-guides/encoding). */
function readFields(bytes: Buffer): Field[] {
  const fields: Field[] = [];
  let offset = 0;
  const readVarint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes[offset++];
      if (byte === undefined) throw new Error('the message ends within a number');
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  const take = (length: number): Buffer => bytes.subarray(offset, (offset += length));
  while (offset < bytes.length) {
    const tag = Number(readVarint());
    const type = tag & 7;
    const value = type === 0 ? readVarint() : type === 1 ? take(8) : type === 5 ? take(4) : take(Number(readVarint()));
    fields.push({ number: tag >> 3, value });
  }
  return fields;
}

const buildMessages = (fields: readonly Field[], number: number): Buffer[] =>
  fields.flatMap((field) => (field.number === number && Buffer.isBuffer(field.value) ? [field.value] : []));
const buildFirstMessage = (fields: readonly Field[], number: number): Buffer => buildMessages(fields, number)[0] ?? Buffer.alloc(0);

function decodeRequest(body: Buffer): ReceivedSpan[] {
  return buildMessages(readFields(body), 1).flatMap((resourceSpans) => {
    const fields = readFields(resourceSpans);
    const service = String(readAttributes(readFields(buildFirstMessage(fields, 1)), 1)['service.name']);
    const spans = buildMessages(fields, 2).flatMap((scopeSpans) => buildMessages(readFields(scopeSpans), 2));
    return spans.map((span) => ({ ...decodeSpan(readFields(span)), service }));
  });
}

function decodeSpan(fields: readonly Field[]): Omit<ReceivedSpan, 'service'> {
  return {
    traceId: buildFirstMessage(fields, 1).toString('hex'),
    spanId: buildFirstMessage(fields, 2).toString('hex'),
    parentId: buildFirstMessage(fields, 4).toString('hex'),
    name: buildFirstMessage(fields, 5).toString(),
    kind: Number(fields.find(({ number }) => number === 6)?.value ?? 0),
    attributes: readAttributes(fields, 9),
    links: buildMessages(fields, 13).map((link) => buildFirstMessage(readFields(link), 1).toString('hex')),
  };
}

function readAttributes(fields: readonly Field[], number: number): Record<string, string | number | boolean> {
  const pairs = buildMessages(fields, number).map((pair) => {
    const [key, value] = [buildFirstMessage(readFields(pair), 1).toString(), readFields(buildFirstMessage(readFields(pair), 2))[0]];
    if (value === undefined) return [key, ''] as const;
    if (Buffer.isBuffer(value.value)) return [key, value.value.toString()] as const;
    return [key, value.number === 2 ? value.value === 1n : Number(value.value)] as const;
  });
  return Object.fromEntries(pairs);
}
