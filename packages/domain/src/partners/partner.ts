/** A partner refers users to us. It determines our pages, the order of the steps and the fee. */

/**
 * - `organic`: no referrer.
 * - `bookkeeping`: the user keeps their books there. `bridging`: the user files there. `broker`: introduces users for a commission.
 * - `accountancy`: acts for the user at HMRC.
 */
export type PartnerKind = 'organic' | 'bookkeeping' | 'bridging' | 'broker' | 'accountancy';

/** The two products: one for traders, one for practices. */
export const PRODUCTS = ['instant_vat', 'open_tax'] as const;
export type Product = (typeof PRODUCTS)[number];

/**
 * When onboarding requests the books: after the HMRC connection, before it (the visitor has the books ready), or last (the return is filed
 * elsewhere).
 */
export type BooksStep = 'after_hmrc' | 'before_hmrc' | 'last';

/**
 * Button order in the sign-up dialog: email above the providers, or the provider named in the partner's name first
 * (docs/product/specification.md section 2.1).
 */
export type ButtonOrder = 'email_first' | 'named_provider_first';

/** The copy of a partner's landing page. */
export type LandingCopy = {
  readonly headline: string;
  readonly lead: string;
  /** The steps after signing up, in order. */
  readonly steps: readonly { readonly title: string; readonly text: string }[];
  /** Description for search engines and shared links; at most 160 characters. */
  readonly description: string;
};

/** One row of the partner table. */
export type Partner = {
  /** The name in lower case, as in links and cookies. */
  readonly name: string;
  /** The partner's own spelling of its name. */
  readonly logoText: string;
  readonly kind: PartnerKind;
  readonly product: Product;
  readonly buttonOrder: ButtonOrder;
  readonly booksStep: BooksStep;
  /** Our fee on a refund, in basis points. */
  readonly feeRateBps: number;
  /** Shown before sign-up: who receives each kind of data, and who receives commissions. */
  readonly consentText: string;
  readonly copy: LandingCopy;
  /** Our team that owns this partner's referrals; a team, never an individual. */
  readonly referralOwner: string;
};
