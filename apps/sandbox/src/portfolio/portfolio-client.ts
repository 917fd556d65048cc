/** One client of the practice, as the world knows it: what HMRC, the register and the practice's own file say follows from it. */
import type { PlainDate } from '@portal/domain/plain-date.ts';
import type { Tax } from '@portal/domain/uk-tax/tax.ts';
import type { PortfolioSituation } from './situations.ts';

export type PortfolioKind = 'company' | 'llp' | 'partnership' | 'sole_trader' | 'individual';

/** Which months VAT quarters end in: 1 = March, June, ..; 2 = January, April, ..; 3 = February, May, ... */
export type PortfolioStagger = 1 | 2 | 3 | 'monthly';

/** What a portfolio is made of; equal recipes make equal portfolios, and a larger one begins with the smaller one's clients. */
export type PortfolioRecipe = { readonly clients: number; readonly seed: number; readonly today: PlainDate };

export type PortfolioClient = {
  readonly index: number;
  /** The practice's own code for the client, "OAK00042". */
  readonly code: string;
  readonly name: string;
  readonly kind: PortfolioKind;
  readonly taxes: readonly Tax[];
  readonly situation: PortfolioSituation;
  /** The person the practice writes to. */
  readonly contact: string;
  readonly email: string;
  readonly phone: string;
  readonly address: { readonly line1: string; readonly town: string; readonly postcode: string };
  readonly utr: string;
  /** Of people only. */
  readonly nino?: string;
  readonly company?: { readonly number: string; readonly incorporatedOn: PlainDate };
  readonly vat?: {
    readonly vrn: string;
    readonly registeredOn: PlainDate;
    readonly stagger: PortfolioStagger;
    readonly history: 'exporter' | 'payer' | 'dormant';
    /** What a period's return usually comes to, without its sign. */
    readonly typicalNetPence: number;
    readonly paysByDirectDebit: boolean;
  };
  readonly paye?: {
    readonly employerReference: string;
    readonly accountsOfficeReference: string;
    readonly pays: 'monthly' | 'quarterly';
    readonly typicalMonthPence: number;
  };
  readonly corporationTax?: { readonly typicalYearPence: number };
  /** `business` stands where the person has signed up to Making Tax Digital for Income Tax: only then HMRC's APIs know them. */
  readonly selfAssessment?: {
    readonly typicalYearPence: number;
    readonly business?: {
      readonly businessId: string;
      readonly mtdItId: string;
      readonly typeOfBusiness: 'self-employment' | 'uk-property';
      /** Whether Oakline keeps the quarterly records only. */
      readonly agentType: 'main' | 'supporting';
    };
  };
};

export type Portfolio = PortfolioRecipe & {
  readonly list: readonly PortfolioClient[];
  readonly byVrn: ReadonlyMap<string, PortfolioClient>;
  readonly byNino: ReadonlyMap<string, PortfolioClient>;
};
