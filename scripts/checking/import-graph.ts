/**
 * Finds the files that an entry file loads: through static and dynamic imports, including types, and files started by URL (workers,
 * processes).
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, resolve } from 'node:path';
import { parseSync } from 'oxc-parser';
import { isSyntaxNode, visitNodes, type SyntaxNode } from './syntax-tree.ts';

export type ImportGraph = {
  /** Each file with the chain of imports leading to it, from the entry. */
  readonly chains: ReadonlyMap<string, readonly string[]>;
  /** Dynamic imports whose file isn't known until run time. */
  readonly unknown: readonly string[];
};

/** `except`: files that may be started but aren't followed. */
export function walkImports(entry: string, except: readonly string[] = []): ImportGraph {
  const chains = new Map<string, readonly string[]>([[entry, [entry]]]);
  const unknown: string[] = [];
  // Iterating over a Map includes entries added during the loop.
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
  const startedFiles: string[] = [];
  visitNodes(program, (node) => {
    if (node.type === 'ImportExpression') {
      const specifier = toText(node['source']);
      if (specifier === undefined) unknown.push(file);
      else specifiers.push(specifier);
    }
    const startedFile = getStartedFile(node);
    if (startedFile !== undefined) startedFiles.push(resolve(dirname(file), startedFile));
  });
  const files = specifiers.flatMap((specifier) => resolveSpecifier(file, specifier));
  return { files: [...files, ...startedFiles], unknown };
}

/** Returns the file in the repository that a specifier names, or an empty list for a library. */
function resolveSpecifier(from: string, specifier: string): string[] {
  if (specifier.startsWith('.')) return [resolve(dirname(from), specifier)];
  return specifier.startsWith('@portal/') ? [createRequire(from).resolve(specifier)] : [];
}

/** Returns "./worker.ts" for `new URL('./worker.ts', import.meta.url)`. */
function getStartedFile(node: SyntaxNode): string | undefined {
  if (node.type !== 'NewExpression' || (node['callee'] as SyntaxNode)['name'] !== 'URL') return undefined;
  const [address, base] = node['arguments'] as readonly SyntaxNode[];
  if (base?.type !== 'MemberExpression' || (base['object'] as SyntaxNode).type !== 'MetaProperty') return undefined;
  const text = toText(address);
  return text !== undefined && /\.[cm]?tsx?$/.test(text) ? text : undefined;
}

function toText(node: unknown): string | undefined {
  const value = isSyntaxNode(node) && node.type === 'Literal' ? node['value'] : undefined;
  return typeof value === 'string' ? value : undefined;
}
