/**
 * Writes an answer as JSON of the listed fields alone: a copy of exactly those, made by code written once for the schema, and the engine's own
 * JSON.stringify. Fastify's serialiser puts a page of the client list together of two thousand pieces, which are then gone through twice more.
 */

type Schema = { readonly [key: string]: unknown };
export type WriteJson = (value: unknown) => string;

/** Undefined for a schema with choices or free keys: Fastify's own serialiser knows those. */
export function jsonWriterOf(schema: Schema): WriteJson | undefined {
  const copy = copyOf(schema, 'value');
  if (copy === undefined) return undefined;
  // Made of our own contract's field names alone, each as a JSON text.
  // oxlint-disable-next-line no-new-func, typescript/no-implied-eval
  const make = new Function('plain', `return (value) => JSON.stringify(${copy})`) as (with_: typeof plain) => WriteJson;
  return make(plain);
}

/** An expression that copies what stands at `from`; undefined where the schema is not of objects, lists and plain values. */
function copyOf(schema: Schema, from: string): string | undefined {
  switch (schema['type']) {
    case 'object': {
      if (schema['properties'] === undefined || typeof schema['additionalProperties'] === 'object') return undefined;
      const members = Object.entries(schema['properties'] as Record<string, Schema>).map(([name, member]) => {
        const key = JSON.stringify(name);
        const copy = copyOf(member, `${from}[${key}]`);
        return copy === undefined ? undefined : `${key}: ${copy}`;
      });
      if (members.includes(undefined)) return undefined;
      return `(${from} === null || ${from} === undefined ? ${from} : { ${members.join(', ')} })`;
    }
    case 'array': {
      const item = copyOf((schema['items'] ?? {}) as Schema, 'item');
      return item === undefined ? undefined : `(${from} === null || ${from} === undefined ? ${from} : ${from}.map((item) => ${item}))`;
    }
    case undefined:
      return 'const' in schema || 'enum' in schema ? `plain(${from})` : undefined;
    default:
      return `plain(${from})`;
  }
}

/** A text, number, truth or nothing: where the contract lists one, no object gets out. */
function plain(value: unknown): unknown {
  if (typeof value === 'object' && value !== null) throw new Error('An answer holds an object where the contract lists a plain value.');
  return value;
}
