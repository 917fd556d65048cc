/** Splits a source file into the texts that people read: comments, strings and names. */
import { parseSync } from 'oxc-parser';

export type SourceText = {
  readonly kind: 'comment' | 'string' | 'name';
  /** Names are split into lower-case words: `SANDBOX_PORT` and `sandboxPort` become "sandbox port". */
  readonly text: string;
  readonly offset: number;
};

type Node = { readonly type: string; readonly start: number; readonly [key: string]: unknown };

export function listSourceTexts(path: string, source: string): readonly SourceText[] {
  const { program, comments, errors } = parseSync(path, source);
  if (errors.length > 0) throw new Error(`${path} can't be parsed: ${errors[0]?.message ?? ''}`);
  const texts: SourceText[] = comments.map(({ value, start }) => ({ kind: 'comment', text: unwrapComment(value), offset: start }));
  collectTexts(program, texts);
  return texts;
}

function collectTexts(value: unknown, texts: SourceText[]): void {
  if (Array.isArray(value)) {
    for (const item of value) collectTexts(item, texts);
    return;
  }
  if (!isNode(value)) return;
  const text = textInNode(value);
  if (text) texts.push({ ...text, offset: value.start });
  if (value.type === 'ImportDeclaration') return;
  for (const [key, child] of Object.entries(value)) if (key !== 'type' && typeof child === 'object') collectTexts(child, texts);
}

function textInNode(node: Node): Omit<SourceText, 'offset'> | undefined {
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

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string' && 'start' in value;
}

/** One line of text, so that a phrase is found where a comment breaks its line. */
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
