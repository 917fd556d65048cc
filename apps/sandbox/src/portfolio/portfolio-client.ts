/** A client of the practice. HMRC's records, the company register and the practice's own file are all derived from it. */
import type { PlainDate } from '@portal/domain/plain-date.ts';
import type { Tax } from '@portal/domain/uk-tax/tax.ts';
import type { PortfolioSituation } from './situations.ts';

export type PortfolioKind = 'company' | 'llp' | 'partnership' | 'sole_trader' | 'individual';

/** The months in which VAT quarters end: 1 = March, June, ...; 2 = January, April, ...; 3 = February, May, ... */
export type PortfolioStagger = 1 | 2 | 3 | 'monthly';

/** The parameters of a portfolio. Equal recipes give equal portfolios, and a larger portfolio starts with the smaller one's clients. */
export type PortfolioRecipe = { readonly clients: number; readonly seed: number; readonly today: PlainDate };

export type PortfolioClient = {
  readonly index: number;
  /** The practice's own code for the client, "OAK00042". */
  readonly code: string;
  readonly name: string;
  readonly kind: PortfolioKind;
  readonly taxes: readonly Tax[];
  readonly situation: PortfolioSituation;
  /** The practice's contact at the client. */
  readonly contact: string;
  readonly email: string;
  readonly phone: string;
  readonly address: { readonly line1: string; readonly town: string; readonly postcode: string };
  readonly utr: string;
  /** Individuals and sole traders only. */
  readonly nino?: string;
  readonly company?: { readonly number: string; readonly incorporatedOn: PlainDate };
  readonly vat?: {
    readonly vrn: string;
    readonly registeredOn: PlainDate;
    readonly stagger: PortfolioStagger;
    readonly history: 'exporter' | 'payer' | 'dormant';
    /** Typical absolute amount of a period's return. */
    readonly typicalNetPence: number;
    readonly paysByDirectDebit: boolean;
  };
  readonly paye?: {
    readonly employerReference: string;
    readonly accountsOfficeReference: string;
    readonly payFrequency: 'monthly' | 'quarterly';
    readonly typicalMonthPence: number;
  };
  readonly corporationTax?: { readonly typicalYearPence: number };
  /** `business` is set if the person has signed up to Making Tax Digital for Income Tax. HMRC's APIs only return these people. */
  readonly selfAssessment?: {
    readonly typicalYearPence: number;
    readonly business?: {
      readonly businessId: string;
      readonly mtdItId: string;
      readonly typeOfBusiness: 'self-employment' | 'uk-property';
      /** `supporting`: Oakline only keeps the quarterly records. */
      readonly agentType: 'main' | 'supporting';
    };
  };
};

export type Portfolio = PortfolioRecipe & {
  readonly list: readonly PortfolioClient[];
  readonly byVrn: ReadonlyMap<string, PortfolioClient>;
  readonly byNino: ReadonlyMap<string, PortfolioClient>;
};
