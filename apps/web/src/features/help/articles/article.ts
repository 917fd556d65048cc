/** What a help article is made of. Figures come from the domain when it is written, so that no article can be older than the product. */
import type { Product } from '@portal/domain/partners/partner.ts';
import type { PageName } from '@portal/contract/pages.ts';
import type { AdvanceTerms } from '@portal/domain/advances/advance-terms.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';

/** The groups of the page, in their order. */
export const GROUPS = ['Your practice', 'Your refund, early', 'Returns and HMRC', 'Your account', 'When something goes wrong'] as const;

/** A paragraph, a list, steps in order, a table with its headings, or a way to a page. */
export type Block =
  | string
  | { readonly list: readonly string[] }
  | { readonly steps: readonly string[] }
  | { readonly table: { readonly caption: string; readonly head: readonly string[]; readonly rows: readonly (readonly string[])[] } }
  | { readonly link: { readonly label: string; readonly page: PageName } };

export type HelpFacts = {
  readonly brand: string;
  readonly today: PlainDate;
  readonly terms: AdvanceTerms;
  /** Our usual fee, in basis points. */
  readonly feeRateBps: number;
};

export type Article = {
  /** Names the article in the address: `/help#fee`. The file is named for it. */
  readonly key: string;
  readonly title: string;
  readonly group: (typeof GROUPS)[number];
  /** Whom it is for; everybody unless given. */
  readonly product?: Product;
  /** The pages whose help begins with this article. */
  readonly pages: readonly PageName[];
  /** Further words that people search by. */
  readonly words: string;
  readonly write: (facts: HelpFacts) => readonly Block[];
};
