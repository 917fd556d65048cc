/** The parts of a help article. Figures come from the domain when the article is rendered, so that articles never go out of date. */
import type { Product } from '@portal/domain/partners/partner.ts';
import type { PageName } from '@portal/contract/pages.ts';
import type { AdvanceTerms } from '@portal/domain/advances/advance-terms.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';

/** The groups of the help page, in order. */
export const GROUPS = ['Your practice', 'Early refunds', 'Returns and HMRC', 'Your account', 'If something goes wrong'] as const;

/** A paragraph, a list, numbered steps, a table with headings, or a link to a page. */
export type ArticleBlock =
  | string
  | { readonly list: readonly string[] }
  | { readonly steps: readonly string[] }
  | { readonly table: { readonly caption: string; readonly head: readonly string[]; readonly rows: readonly (readonly string[])[] } }
  | { readonly link: { readonly label: string; readonly page: PageName } };

export type HelpFacts = {
  readonly brand: string;
  readonly today: PlainDate;
  readonly terms: AdvanceTerms;
  /** Our standard fee, in basis points. */
  readonly feeRateBps: number;
};

export type Article = {
  /** Identifies the article in the URL: `/help#fee`. The file has the same name. */
  readonly key: string;
  readonly title: string;
  readonly group: (typeof GROUPS)[number];
  /** The product that the article is about. Applies to both products if not set. */
  readonly product?: Product;
  /** Pages whose help starts with this article. */
  readonly pages: readonly PageName[];
  /** Additional search terms. */
  readonly words: string;
  readonly write: (facts: HelpFacts) => readonly ArticleBlock[];
};
