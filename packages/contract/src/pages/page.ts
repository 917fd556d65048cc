/** Who may see a page. The requests that the page sends are also checked by their own access rules. */
export type PageAccess = 'public' | 'signed_in' | 'operator' | 'enrolling';

/**
 * The header above a page (docs/product/specification.md section 2.6). `plain`, the default, has the logo and, where navigation is allowed,
 * a menu.
 */
export type PageHeaderKind = 'plain' | 'dashboard' | 'practitioner' | 'clients_portal' | 'operator';

export type Page = {
  readonly path: `/${string}`;
  readonly access: PageAccess;
  /** The part of the window title after the brand, as in "Tidewater Login". */
  readonly title: string;
  /** The page's subject, so that every page has a distinct title, for example "Tidewater OpenTax – Clients". */
  readonly section?: string;
  /**
   * The component that renders the page. Defaults to the page's own name followed by Screen: `practiceCalendar` -> PracticeCalendarScreen.
   */
  readonly screen?: `${string}Screen`;
  /** `landing`, `login`: separately prerendered documents, without the app shell. */
  readonly kind?: 'landing' | 'login';
  /** The kind of header; `plain` by default. */
  readonly header?: Exclude<PageHeaderKind, 'plain'>;
  /** Additional paths of the same screen. */
  readonly otherPaths?: readonly `/${string}`[];
  /** The partner whose landing page this is, by its name in the partner table (domain/partners). */
  readonly partner?: string;
  /** Set for pages that are available only in development. In production, they return 404. */
  readonly onlyInDevelopment?: true;
};

export const INSTANT_VAT_TITLE = 'InstantVAT Refunds';
export const OPEN_TAX_TITLE = 'OpenTax';
