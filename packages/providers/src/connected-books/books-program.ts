/** Bookkeeping software as the portal uses it: whose books we may read, a copy of their objects, and what they mean. Decision 56. */
import type { BooksDocument, VatBasis } from '@portal/domain/connected-books/books-document.ts';
import type { VatFigureProblem } from '@portal/domain/connected-books/compare-vat.ts';
import type { Pence } from '@portal/domain/money.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';
import type { AuthorisationProvider, SignInDeps } from '../oidc/sign-in-port.ts';
import type { ReadBooksWebhook } from './books-webhook.ts';
import type { ConnectedBooks, RateAnswers } from './connected-books.ts';

/** An object of the program as it was read, with its id among the objects of its resource. */
export type CopiedObject = { readonly id: string; readonly value: unknown };

/**
 * `isWhole`: a short list that is read completely each time. Others are read as far as they changed. `isOptional`: figures don't need it, so books
 * are read without it if our permission lacks it.
 */
export type BooksResource = { readonly name: string; readonly isWhole: boolean; readonly isOptional?: boolean };

/** What was copied earlier, page by page. The objects have been checked against their schemas when they were read. */
export type BooksCopy = { pages(resource: string): AsyncGenerator<unknown[]> };

/**
 * `connectionId`: the program's own id of our access to the organisation, if it has one. `isFormer`: its list says that it's no current client, so
 * it is covered, but not offered.
 */
export type BooksOrganisation = {
  readonly id: string;
  readonly name: string;
  readonly connectionId: string | undefined;
  readonly isFormer?: boolean;
};

/** For a call that names no organisation. `maxAttempts`: 1 for a caller that doesn't wait, because a person does. */
export type ListOptions = { readonly acquireSlot?: () => Promise<void>; readonly maxAttempts?: number };

/** The details that the bookkeeping software states, not checked. */
export type OrganisationDetails = {
  readonly name: string | undefined;
  readonly vatNumber: string | undefined;
  readonly companyNumber: string | undefined;
};

/** A client in a practice's own list, as the program states it. `yearEnd`: the last day of a set of accounts, as a date. */
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
  /** Asked before each call. */
  readonly getAccessToken: () => Promise<string>;
  readonly acquireSlot?: () => Promise<void>;
  /** Only what changed since then, in UTC: "2026-11-21T09:14:00.000Z". Default: everything. */
  readonly modifiedSince?: string;
  readonly pageSize?: number;
};

/** `maxAttempts`: 1 for a caller that does its own waiting. */
export type DescribeOptions = Pick<CopyOptions, 'organisationId' | 'getAccessToken' | 'acquireSlot'> & { readonly maxAttempts?: number };

export type VatFigureRequest = Pick<CopyOptions, 'organisationId' | 'getAccessToken' | 'acquireSlot'> & {
  readonly periodStart: PlainDate;
  readonly periodEnd: PlainDate;
  readonly basis: VatBasis;
  readonly copy: BooksCopy;
};

/**
 * `vatPence`: net VAT of the period, positive is owed to HMRC. `paidPence`: of a VAT account, what was paid to HMRC in the period less what HMRC
 * repaid; it isn't part of `vatPence`.
 */
export type VatFigure = { readonly vatPence: Pence; readonly paidPence: Pence | undefined } | { readonly problem: VatFigureProblem };

export type BooksCopier = {
  /** The pages of a resource from a page on, counted from 1. */
  readPages(resource: string, firstPage: number): AsyncGenerator<CopiedObject[]>;
};

export type BooksProgram = {
  readonly signIn: AuthorisationProvider;
  /** The permissions beyond signing in. */
  readonly scopes: readonly string[];
  /** In the order in which they must be read. */
  readonly resources: readonly BooksResource[];
  /** Whether objects that were deleted in the program are missing from its lists, so that only a complete read finds out. */
  readonly hidesDeleted: boolean;
  /** `realmId`: the company that QuickBooks returned with the authorisation. */
  listOrganisations(accessToken: string, realmId: string | undefined, options?: ListOptions): Promise<BooksOrganisation[]>;
  /**
   * What an organisation says about itself: by it a practice's client is found, and a person needn't type it. Undefined if people aren't offered
   * several.
   */
  readonly describeOrganisation: ((options: DescribeOptions) => Promise<OrganisationDetails>) | undefined;
  /** The practice's list of clients with their details, where the program keeps one. */
  readonly listClients: ((accessToken: string, options?: ListOptions) => Promise<ListedClient[]>) | undefined;
  createCopier(options: CopyOptions): BooksCopier;
  /** What the program itself says about the VAT of a period, in at most three calls. */
  readVatFigure(request: VatFigureRequest): Promise<VatFigure>;
  /** Throws UnreadableDocumentsError rather than leave a document out that would count. */
  mapBooks(copy: BooksCopy, answers: RateAnswers): Promise<ConnectedBooks>;
  /** Where a person opens the document in the program; undefined if it has no page. `webName` is that of ConnectedBooks. */
  findLink(document: Pick<BooksDocument, 'id' | 'type'>, webName: string | undefined): string | undefined;
  /** Ends our access at the program. Undefined if only the person can, in the program's own settings. */
  readonly disconnect: ((grant: BooksGrant) => Promise<void>) | undefined;
  /** Undefined if the program has no webhooks, or their key isn't set. */
  readonly readWebhook: ReadBooksWebhook | undefined;
};

export type BooksGrant = { readonly accessToken: string; readonly refreshToken: string; readonly connectionId: string | undefined };

/** `userAgent` names the portal. `webhookKey` verifies the program's webhooks. */
export type BooksProgramDeps = Pick<SignInDeps, 'clientId' | 'clientSecret' | 'serverUrl' | 'fetch'> & {
  readonly signIn: AuthorisationProvider;
  readonly userAgent: string;
  readonly webhookKey?: string;
};

/** Items of a short list, each under its place in it. */
export function numberObjects(items: readonly unknown[]): CopiedObject[] {
  return items.map((value, index) => ({ id: String(index), value }));
}
