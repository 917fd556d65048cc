/**
 * Converts a zod output of the contract to the JSON schema for fast-json-stringify, so that fields that aren't listed can't leave the
 * server.
 */
import fastJsonStringify, { type Schema } from 'fast-json-stringify';
import type { FastifySerializerCompiler } from 'fastify';
import { z } from 'zod';

type JsonSchema = { [key: string]: unknown };

/** Tests start many servers in one process, and converting the whole contract takes a third of a server's startup time. */
const convertedSchemas = new WeakMap<z.core.$ZodType, Schema>();

/** Zod writes `X | null` as anyOf, which the serialiser can only resolve by validating; `nullable` means the same and costs nothing. */
export function getResponseSchema(output: z.core.$ZodType): Schema {
  const knownSchema = convertedSchemas.get(output);
  if (knownSchema) return knownSchema;
  const schema = simplify(z.toJSONSchema(output, { io: 'output', unrepresentable: 'any' })) as Schema;
  convertedSchemas.set(output, schema);
  return schema;
}

/** Compiles a serialiser when its first response is sent: compiling all 150 at startup would delay it by 0.2 s. */
export const compileSerializerOnUse: FastifySerializerCompiler<Schema> = ({ schema }) => {
  let serialize: ((value: unknown) => string) | undefined;
  return (value: unknown) => {
    serialize ??= fastJsonStringify(schema);
    return serialize(value);
  };
};

function simplify(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(simplify);
  if (typeof node !== 'object' || node === null) return node;
  const { $schema: _schema, format: _format, pattern: _pattern, ...rest } = node as JsonSchema;
  const choices = rest['anyOf'];
  if (Array.isArray(choices) && choices.length === 2 && choices.some(isNull)) {
    const otherChoice = simplify(choices.find((choice) => !isNull(choice))) as JsonSchema;
    return { ...otherChoice, nullable: true };
  }
  return Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, simplify(value)]));
}

function isNull(choice: unknown): boolean {
  return typeof choice === 'object' && choice !== null && (choice as JsonSchema)['type'] === 'null';
}
