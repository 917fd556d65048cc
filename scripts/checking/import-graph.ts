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

/** `ignoredFiles` may be started but aren't followed. */
export function walkImports(entry: string, ignoredFiles: readonly string[] = []): ImportGraph {
  const chains = new Map<string, readonly string[]>([[entry, [entry]]]);
  const unknownImports: string[] = [];
  // Iterating over a Map includes entries added during the loop.
  for (const [file, chain] of chains) {
    const foundImports = findImports(file);
    unknownImports.push(...foundImports.unknown);
    for (const importedFile of foundImports.files) {
      if (!chains.has(importedFile) && !ignoredFiles.includes(importedFile)) chains.set(importedFile, [...chain, importedFile]);
    }
  }
  return { chains, unknown: unknownImports };
}

function findImports(file: string): { files: string[]; unknown: string[] } {
  const { program, module, errors } = parseSync(file, readFileSync(file, 'utf8'));
  if (errors.length > 0) throw new Error(`${file} cannot be parsed: ${errors[0]?.message}`);
  const specifiers = [
    ...module.staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...module.staticExports.flatMap(({ entries }) => entries.flatMap(({ moduleRequest }) => (moduleRequest ? [moduleRequest.value] : []))),
  ];
  const unknownImports: string[] = [];
  const startedFiles: string[] = [];
  visitNodes(program, (node) => {
    if (node.type === 'ImportExpression') {
      const specifier = toText(node['source']);
      if (specifier === undefined) unknownImports.push(file);
      else specifiers.push(specifier);
    }
    const startedFile = getStartedFile(node);
    if (startedFile !== undefined) startedFiles.push(resolve(dirname(file), startedFile));
  });
  const files = specifiers.flatMap((specifier) => resolveSpecifier(file, specifier));
  return { files: [...files, ...startedFiles], unknown: unknownImports };
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
  const addressText = toText(address);
  return addressText !== undefined && /\.[cm]?tsx?$/.test(addressText) ? addressText : undefined;
}

function toText(node: unknown): string | undefined {
  const value = isSyntaxNode(node) && node.type === 'Literal' ? node['value'] : undefined;
  return typeof value === 'string' ? value : undefined;
}
