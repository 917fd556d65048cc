/** Splits a source file into its readable text: comments, strings and names. */
import { parseSync } from 'oxc-parser';
import { visitNodes, type SyntaxNode } from './syntax-tree.ts';

export type SourceText = {
  readonly kind: 'comment' | 'string' | 'name';
  /** Names are split into lower-case words: `SANDBOX_PORT` and `sandboxPort` become "sandbox port". */
  readonly text: string;
  readonly offset: number;
};

export function listSourceTexts(path: string, source: string): readonly SourceText[] {
  const { program, comments, errors } = parseSync(path, source);
  if (errors.length > 0) throw new Error(`${path} can't be parsed: ${errors[0]?.message ?? ''}`);
  const sourceTexts: SourceText[] = comments.map(({ value, start }) => ({ kind: 'comment', text: unwrapComment(value), offset: start }));
  visitNodes(program, (node) => {
    const nodeText = getNodeText(node);
    if (nodeText) sourceTexts.push({ ...nodeText, offset: node.start });
    return node.type === 'ImportDeclaration' ? 'skip' : undefined;
  });
  return sourceTexts;
}

function getNodeText(node: SyntaxNode): Omit<SourceText, 'offset'> | undefined {
  switch (node.type) {
    case 'Identifier':
    case 'JSXIdentifier':
    case 'PrivateIdentifier':
      return { kind: 'name', text: splitName(String(node['name'])) };
    case 'Literal':
    case 'JSXText':
      return typeof node['value'] === 'string' ? { kind: 'string', text: node['value'] } : undefined;
    case 'TemplateElement':
      return { kind: 'string', text: String((node['value'] as { readonly raw: string }).raw) };
    default:
      return undefined;
  }
}

/** Joins the text into one line, so that a phrase is found even if the comment breaks it across lines. */
function unwrapComment(value: string): string {
  return value.replaceAll(/\s*\n\s*\*? ?/g, ' ').trim();
}

export function splitName(name: string): string {
  return name
    .replaceAll('_', ' ')
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .trim()
    .toLowerCase();
}
