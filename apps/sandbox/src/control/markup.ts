/** HTML templates that escape every inserted value, so pages cannot skip escaping. */
import { escapeHtml } from '../simulator/responses.ts';

export type Markup = { readonly markup: string };
export type Content = Markup | readonly Markup[] | string | number | undefined | false;

/** Builds markup. Escapes strings and numbers, inserts markup unescaped, and renders undefined and false as nothing. */
export function h(parts: TemplateStringsArray, ...contents: readonly Content[]): Markup {
  return { markup: parts.map((part, index) => part + (index < contents.length ? renderContent(contents[index]) : '')).join('') };
}

function renderContent(content: Content): string {
  if (content === undefined || content === false) return '';
  if (typeof content === 'string') return escapeHtml(content);
  if (typeof content === 'number') return String(content);
  return 'markup' in content ? content.markup : content.map(({ markup }) => markup).join('');
}
