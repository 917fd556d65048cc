/** Walks the syntax trees of oxc-parser. */
export type SyntaxNode = { readonly type: string; readonly start: number; readonly [key: string]: unknown };

/** Calls `visit` for a node and everything below it, in source order. If `visit` returns "skip", the node's children are skipped. */
export function visitNodes(value: unknown, visit: (node: SyntaxNode) => 'skip' | void): void {
  if (Array.isArray(value)) {
    for (const item of value) visitNodes(item, visit);
    return;
  }
  if (!isSyntaxNode(value) || visit(value) === 'skip') return;
  for (const child of Object.values(value)) if (typeof child === 'object') visitNodes(child, visit);
}

export function isSyntaxNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string' && 'start' in value;
}
