/** What a partner is: whoever refers people to us, and what that changes on our pages, in the steps and in the fee. */

/**
 * - `organic`: nobody referred the person.
 * - `bookkeeping`: the person keeps their books there. `bridging`: the person files there. `broker`: introduces and is paid for it.
 * - `accountancy`: acts for the person at HMRC.
 */
export type PartnerKind = 'organic' | 'bookkeeping' | 'bridging' | 'broker' | 'accountancy';

/** The two products: of traders, and of practices. */
export const PRODUCTS = ['instant_vat', 'open_tax'] as const;
export type Product = (typeof PRODUCTS)[number];

/** When the steps ask for the books: after HMRC's permission, before it (they are what the person comes with), or last of all (the return is filed elsewhere). */
export type BooksStep = 'after_hmrc' | 'before_hmrc' | 'last';

/** The sign-up dialog: email above the providers, or the providers above with the one first that the partner's name contains (specification 2.1). */
export type ButtonOrder = 'email_first' | 'named_provider_first';

/** The words of a partner's page. */
export type LandingCopy = {
  readonly headline: string;
  readonly lead: string;
  /** What happens after signing up, in order. */
  readonly steps: readonly { readonly title: string; readonly text: string }[];
  /** For search engines and shared links, at most 160 characters. */
  readonly description: string;
};

/** One row of the partner table. */
export type Partner = {
  /** Lower case, as in links and cookies. */
  readonly name: string;
  /** The name as the partner writes it. */
  readonly logoText: string;
  readonly kind: PartnerKind;
  readonly product: Product;
  readonly buttons: ButtonOrder;
  readonly booksStep: BooksStep;
  /** Our fee on a refund, in basis points. */
  readonly feeRateBps: number;
  /** What the person is told before signing up: who learns what, and who is paid. */
  readonly consentText: string;
  readonly copy: LandingCopy;
  /** Who at our side answers the partner and owns its referrals: a team, never a person. */
  readonly referralOwner: string;
};
