/** The files that an entry file brings in: static and dynamic imports, types included, and files started by their address (workers, processes). */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, resolve } from 'node:path';
import { parseSync } from 'oxc-parser';

export type ImportGraph = {
  /** Each file with the chain of files that brings it in, the entry first. */
  readonly chains: ReadonlyMap<string, readonly string[]>;
  /** Dynamic imports whose file is only known at run time. */
  readonly unknown: readonly string[];
};

type Node = { readonly type: string; readonly [key: string]: unknown };

/** `except` are files that may be started but are not followed. */
export function walkImports(entry: string, except: readonly string[] = []): ImportGraph {
  const chains = new Map<string, readonly string[]>([[entry, [entry]]]);
  const unknown: string[] = [];
  // A Map's iteration includes what is added while it runs.
  for (const [file, chain] of chains) {
    const found = findImports(file);
    unknown.push(...found.unknown);
    for (const imported of found.files) {
      if (!chains.has(imported) && !except.includes(imported)) chains.set(imported, [...chain, imported]);
    }
  }
  return { chains, unknown };
}

function findImports(file: string): { files: string[]; unknown: string[] } {
  const { program, module, errors } = parseSync(file, readFileSync(file, 'utf8'));
  if (errors.length > 0) throw new Error(`${file} cannot be parsed: ${errors[0]?.message}`);
  const specifiers = [
    ...module.staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...module.staticExports.flatMap(({ entries }) => entries.flatMap(({ moduleRequest }) => (moduleRequest ? [moduleRequest.value] : []))),
  ];
  const unknown: string[] = [];
  const addresses: string[] = [];
  visit(program as unknown as Node, (node) => {
    if (node.type === 'ImportExpression') {
      const specifier = toText(node['source']);
      if (specifier === undefined) unknown.push(file);
      else specifiers.push(specifier);
    }
    const address = toFileAddress(node);
    if (address !== undefined) addresses.push(resolve(dirname(file), address));
  });
  const files = specifiers.flatMap((specifier) => resolveOwn(file, specifier));
  return { files: [...files, ...addresses], unknown };
}

/** The repository's own file behind a specifier; nothing for a library. */
function resolveOwn(from: string, specifier: string): string[] {
  if (specifier.startsWith('.')) return [resolve(dirname(from), specifier)];
  return specifier.startsWith('@portal/') ? [createRequire(from).resolve(specifier)] : [];
}

/** "./worker.ts" of `new URL('./worker.ts', import.meta.url)`. */
function toFileAddress(node: Node): string | undefined {
  if (node.type !== 'NewExpression' || (node['callee'] as Node)['name'] !== 'URL') return undefined;
  const [address, base] = node['arguments'] as readonly Node[];
  if (base?.type !== 'MemberExpression' || (base['object'] as Node).type !== 'MetaProperty') return undefined;
  const text = toText(address);
  return text !== undefined && /\.[cm]?tsx?$/.test(text) ? text : undefined;
}

function toText(node: unknown): string | undefined {
  const value = isNode(node) && node.type === 'Literal' ? node['value'] : undefined;
  return typeof value === 'string' ? value : undefined;
}

function visit(node: Node, onNode: (node: Node) => void): void {
  onNode(node);
  for (const child of Object.values(node).flat()) if (isNode(child)) visit(child, onNode);
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}
