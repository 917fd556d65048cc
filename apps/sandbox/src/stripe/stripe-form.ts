/** Parses Stripe's form-encoded bodies and queries (`items[0][price]=price_1`), and its `expand`. */
import { StripeApiError } from './stripe-error.ts';

export type Params = { readonly [name: string]: FormParam };
export type FormParam = string | Params | readonly FormParam[] | undefined;

type FormTree = { [name: string]: string | FormTree };

export function parseStripeForm(text: string): Params {
  const tree: FormTree = {};
  for (const [name, value] of new URLSearchParams(text)) {
    const keys = name.split(/[[\]]+/).filter((key) => key !== '');
    let branch = tree;
    for (const key of keys.slice(0, -1)) {
      const next = branch[key];
      const subtree: FormTree = typeof next === 'object' ? next : {};
      branch[key] = subtree;
      branch = subtree;
    }
    const last = keys.at(-1);
    if (last !== undefined) branch[last] = value;
  }
  return toParams(tree) as Params;
}

function toParams(tree: string | FormTree): FormParam {
  if (typeof tree === 'string') return tree;
  const keys = Object.keys(tree);
  const isList = keys.length > 0 && keys.every((key) => /^\d+$/.test(key));
  if (isList) return keys.map((key) => toParams(tree[key] ?? ''));
  return Object.fromEntries(keys.map((key) => [key, toParams(tree[key] ?? '')]));
}

export function readParam(params: Params, name: string): string | undefined {
  const value = params[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

export function readNestedParams(params: Params, name: string): Params {
  const value = params[name];
  return typeof value === 'object' && !Array.isArray(value) ? (value as Params) : {};
}

export function readItems(params: Params, name: string): Params[] {
  const value = params[name];
  return Array.isArray(value) ? value.filter((item): item is Params => typeof item === 'object') : [];
}

export function readTexts(params: Params, name: string): string[] {
  const value = params[name];
  if (typeof value === 'string') return [value];
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : [];
}

/** Reads metadata and similar parameters as a map of strings. */
export function readTextMap(params: Params, name: string): Record<string, string> {
  return Object.fromEntries(
    Object.entries(readNestedParams(params, name)).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}

type Json = { [name: string]: unknown };

/** Stripe's limit for a path, where `data` counts (docs.stripe.com, Expanding responses). */
const MAX_EXPAND_LEVELS = 4;

/** Returns the paths to expand. Throws Stripe's error if one is too deep. */
export function readExpansions(params: Params): string[] {
  const paths = readTexts(params, 'expand');
  const deepPath = paths.find((path) => path.split('.').length > MAX_EXPAND_LEVELS);
  if (deepPath !== undefined) {
    const message = `You cannot expand more than ${MAX_EXPAND_LEVELS} levels of a property. Property: ${deepPath}`;
    throw new StripeApiError(400, 'invalid_request_error', message, { code: 'property_expansion_max_depth' });
  }
  return paths;
}

/** Fields that Stripe omits unless `expand` names them. */
const INCLUDABLE_FIELDS = ['payments', 'tiers'];

/** Replaces IDs on the named paths with their objects, and omits includable fields that weren't requested. */
export function expandObject(object: Json, paths: readonly string[], find: (id: string) => Json | undefined): Json {
  const names = [...new Set(paths.map((path) => path.split('.')[0] ?? ''))];
  const listDeeperPaths = (name: string) => paths.filter((path) => path.startsWith(`${name}.`)).map((path) => path.slice(name.length + 1));
  const isKept = ([name]: [string, unknown]) => !INCLUDABLE_FIELDS.includes(name) || names.includes(name);
  const expand = (value: unknown, deeperPaths: readonly string[], isNamed: boolean): unknown => {
    if (Array.isArray(value)) return value.map((item: unknown) => expand(item, deeperPaths, false));
    if (typeof value === 'string' && isNamed) return expand(find(value) ?? value, deeperPaths, false);
    if (typeof value !== 'object' || value === null) return value;
    return expandObject(value as Json, deeperPaths, find);
  };
  return Object.fromEntries(
    Object.entries(object)
      .filter(isKept)
      .map(([name, value]) => [name, expand(value, listDeeperPaths(name), names.includes(name))]),
  );
}
