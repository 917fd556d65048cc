/** Dependencies shared by all parts of the HMRC simulator. */
import type { SimulatorDeps } from '../simulator/simulator.ts';
import { openHmrcRecords, type HmrcRecords } from './open-hmrc-records.ts';

/** The only app registered with the simulator. */
export const SANDBOX_CLIENT_ID = 'sandbox-client-id';
export const SANDBOX_CLIENT_SECRET = 'sandbox-client-secret';

/** A repayment from HMRC into a bank account. The host passes it to the bank simulator; an exception leaves the repayment unpaid. */
export type RepaymentCredit = {
  readonly vrn: string;
  readonly sortCode: string;
  readonly accountNumber: string;
  readonly amountPence: number;
  readonly reference: string;
};

/** The company of a test organisation with a company number. `director` is the name in natural order. */
export type TestCompany = { readonly number: string; readonly name: string; readonly director: string };

export type HmrcSimulatorDeps = SimulatorDeps & {
  /** URL of HMRC's pages for browsers, without a trailing slash: "http://localhost:3001/hmrc-www". */
  readonly wwwUrl: string;
  /** Exact matches only, as registered at HMRC. */
  readonly redirectUris: readonly string[];
  readonly payRepayment: (credit: RepaymentCredit) => void | Promise<void>;
  /** The host adds the company to the register, so that HMRC and Companies House have the same company. */
  readonly addCompany?: (company: TestCompany) => void;
  /** Defaults to 3, as at HMRC. Tests with many faults raise it. */
  readonly requestsPerSecond?: number;
};

export type HmrcContext = HmrcSimulatorDeps & { readonly records: HmrcRecords };

export function openHmrcContext(deps: HmrcSimulatorDeps): HmrcContext {
  return { ...deps, records: openHmrcRecords(deps.store) };
}
