/**
 * Bookkeeping software as the portal uses it: the organisations whose books we may read, a copy of their objects, and what those objects
 * mean. See decision 56.
 */
import type { BooksDocument, VatBasis } from '@portal/domain/connected-books/books-document.ts';
import type { VatFigureProblem } from '@portal/domain/connected-books/compare-vat.ts';
import type { Pence } from '@portal/domain/money.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';
import type { AuthorisationProvider, SignInDeps } from '../oidc/sign-in-port.ts';
import type { ReadBooksWebhook } from './books-webhook.ts';
import type { ConnectedBooks, RateAnswers } from './connected-books.ts';

/** An object read from the bookkeeping software, with its id within its resource. */
export type CopiedObject = { readonly id: string; readonly value: unknown };

/**
 * `isWhole`: a short list that is read completely each time. Other resources are read incrementally. `isOptional`: not needed for the
 * figures, so the books are read without it if our permission doesn't cover it.
 */
export type BooksResource = { readonly name: string; readonly isWhole: boolean; readonly isOptional?: boolean };

/** The objects copied earlier, page by page. They were validated against their schemas when they were read. */
export type BooksCopy = { pages(resource: string): AsyncGenerator<unknown[]> };

/**
 * `connectionId`: the software's own id for our access to the organisation, if it has one. `isFormer`: the software's list doesn't show it
 * as a current client, so it is covered but not offered.
 */
export type BooksOrganisation = {
  readonly id: string;
  readonly name: string;
  readonly connectionId: string | undefined;
  readonly isFormer?: boolean;
};

/** Options for a call that doesn't concern one organisation. `maxAttempts`: 1 if a user is waiting for the response. */
export type ListOptions = { readonly acquireSlot?: () => Promise<void>; readonly maxAttempts?: number };

/** The details as stated by the bookkeeping software; not validated. */
export type OrganisationDetails = {
  readonly name: string | undefined;
  readonly vatNumber: string | undefined;
  readonly companyNumber: string | undefined;
};

/** A client in a practice's own list, as stated by the software. `yearEnd`: the last day of a set of accounts, as a date. */
export type ListedClient = {
  readonly name: string;
  readonly kind: string | undefined;
  readonly vatNumber: string | undefined;
  readonly companyNumber: string | undefined;
  readonly yearEnd: string | undefined;
  readonly postcode: string | undefined;
  readonly email: string | undefined;
  readonly phone: string | undefined;
};

export type CopyOptions = {
  readonly organisationId: string;
  /** Called before each call. */
  readonly getAccessToken: () => Promise<string>;
  readonly acquireSlot?: () => Promise<void>;
  /** Limits the result to objects changed since this time, in UTC: "2026-11-21T09:14:00.000Z". Default: everything. */
  readonly modifiedSince?: string;
  readonly pageSize?: number;
};

/** `maxAttempts`: 1 for a caller that handles the waiting itself. */
export type DescribeOptions = Pick<CopyOptions, 'organisationId' | 'getAccessToken' | 'acquireSlot'> & { readonly maxAttempts?: number };

export type VatFigureRequest = Pick<CopyOptions, 'organisationId' | 'getAccessToken' | 'acquireSlot'> & {
  readonly periodStart: PlainDate;
  readonly periodEnd: PlainDate;
  readonly basis: VatBasis;
  readonly copy: BooksCopy;
};

/**
 * `vatPence`: net VAT for the period; positive is owed to HMRC. `paidPence`: for a VAT account, the amount paid to HMRC in the period less
 * HMRC's repayments; it isn't part of `vatPence`.
 */
export type VatFigure = { readonly vatPence: Pence; readonly paidPence: Pence | undefined } | { readonly problem: VatFigureProblem };

export type BooksCopier = {
  /** Returns the pages of a resource, starting from a page number counted from 1. */
  readPages(resource: string, firstPage: number): AsyncGenerator<CopiedObject[]>;
};

export type BooksProvider = {
  readonly signIn: AuthorisationProvider;
  /** The permissions needed beyond signing in. */
  readonly scopes: readonly string[];
  /** In the order in which they must be read. */
  readonly resources: readonly BooksResource[];
  /** Whether the software omits deleted objects from its lists, so that only a complete read can detect deletions. */
  readonly hidesDeleted: boolean;
  /** `realmId`: the company that QuickBooks returned with the authorisation. */
  listOrganisations(accessToken: string, realmId: string | undefined, options?: ListOptions): Promise<BooksOrganisation[]>;
  /**
   * Returns the organisation's own details, which match it to a practice's client and save the user typing. Undefined if users are never
   * offered a choice of organisations.
   */
  readonly describeOrganisation: ((options: DescribeOptions) => Promise<OrganisationDetails>) | undefined;
  /** Lists the practice's clients with their details, if the software keeps a client list. */
  readonly listClients: ((accessToken: string, options?: ListOptions) => Promise<ListedClient[]>) | undefined;
  createCopier(options: CopyOptions): BooksCopier;
  /** Returns the software's own VAT figure for a period, in at most three calls. */
  readVatFigure(request: VatFigureRequest): Promise<VatFigure>;
  /** Throws UnreadableDocumentsError rather than omit a document that would count. */
  mapBooks(copy: BooksCopy, answers: RateAnswers): Promise<ConnectedBooks>;
  /**
   * Returns the link to the document in the bookkeeping software; undefined if the document has no page. `webName` comes from
   * ConnectedBooks.
   */
  findLink(document: Pick<BooksDocument, 'id' | 'type'>, webName: string | undefined): string | undefined;
  /** Ends our access to the bookkeeping software. Undefined if only the user can do so, in the software's own settings. */
  readonly disconnect: ((grant: BooksGrant) => Promise<void>) | undefined;
  /** Undefined if the software doesn't have webhooks, or their key isn't set. */
  readonly readWebhook: ReadBooksWebhook | undefined;
};

export type BooksGrant = { readonly accessToken: string; readonly refreshToken: string; readonly connectionId: string | undefined };

/** `userAgent` identifies the portal. `webhookKey` verifies the software's webhooks. */
export type BooksProviderDeps = Pick<SignInDeps, 'clientId' | 'clientSecret' | 'serverUrl' | 'fetch'> & {
  readonly signIn: AuthorisationProvider;
  readonly userAgent: string;
  readonly webhookKey?: string;
};

/** Numbers the items in a short list by position. */
export function toNumberedObjects(items: readonly unknown[]): CopiedObject[] {
  return items.map((value, index) => ({ id: String(index), value }));
}
