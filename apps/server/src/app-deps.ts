/** What the server stands on. `main.ts` makes the real ones, tests make theirs; everything below takes them as an argument. */
import type { Database } from '@portal/db/database.ts';
import type { Clock } from '@portal/domain/clock.ts';
import type { CompanyRegister } from '@portal/providers/companies-house/companies-house-port.ts';
import type { HmrcClient } from '@portal/providers/hmrc/hmrc-client.ts';
import type { AgentAuthorisationClient } from '@portal/providers/hmrc-agent/agent-authorisation-port.ts';
import type { SelfAssessmentClient } from '@portal/providers/hmrc-agent/self-assessment-port.ts';
import type { VatPenaltiesClient } from '@portal/providers/hmrc-agent/vat-penalties-client.ts';
import type { ChatIdentification } from '@portal/providers/hubspot/hubspot-port.ts';
import type { IdentityCheck } from '@portal/providers/identity-check/identity-check-port.ts';
import type { SignInProvider, SignInProviderName } from '@portal/providers/oidc/sign-in-port.ts';
import type { PaymentsProvider } from '@portal/providers/truelayer/truelayer-port.ts';
import type { PhoneVerification } from '@portal/providers/twilio/twilio-port.ts';
import type { Logger } from 'pino';
import type { Enqueue } from './jobs/job-kinds.ts';
import type { FailedJob } from './jobs/job-table.ts';
import type { Mailer } from './mail/mailer.ts';
import type { Pause } from './pause.ts';
import type { TokenCipher } from './secrets/token-cipher.ts';
import type { ContactSettings, WebsiteSettings } from './visitor-settings.ts';

export type AppDeps = {
  readonly database: Database;
  /** Business time: the sandbox moves it. */
  readonly clock: Clock;
  /** The computer's own time, for sessions, links and limits: moving the sandbox clock neither signs people out nor revives a dead link. */
  readonly wallClock: Clock;
  /** How work waits for its turn or for another's; tests note the waits and go on at once. */
  readonly pause: Pause;
  readonly hmrc: HmrcClient;
  /** HMRC for runs through many clients: they let people go first, and a throttled call is the run's to repeat. */
  readonly hmrcRuns: HmrcRuns;
  /** Authority of practices over their clients, asked for and looked after at HMRC. */
  readonly hmrcAgent: AgentAuthorisationClient;
  /** The same application at HMRC with the way back of a sign-in. */
  readonly hmrcSignIn: HmrcClient;
  /** Companies that people may sign in with; one that is not set up is not here. */
  readonly signIn: Readonly<Partial<Record<SignInProviderName, SignInProvider>>>;
  /** Undefined where no provider is set up; the features then say so. */
  readonly phones: PhoneVerification | undefined;
  readonly companyRegister: CompanyRegister | undefined;
  readonly identityCheck: IdentityCheck | undefined;
  /** Names a visitor to the live chat. */
  readonly chat: ChatIdentification | undefined;
  readonly payments: PaymentsProvider;
  readonly mailer: Mailer;
  readonly enqueue: Enqueue;
  readonly tokenCipher: TokenCipher;
  readonly logger: Logger;
  /** Names this run of the process, so that work begun by a dead one is told from work in hand. */
  readonly instanceId: string;
  readonly site: Site;
};

/** What a process knows of its jobs once it runs them, which is after its dependencies are made. */
export type JobOverview = { readonly listFailedJobs: () => Promise<FailedJob[]> };

/** A company's script in our pages, and what else the content security policy lets it reach. */
export type PageScript = {
  readonly scriptUrl: string;
  readonly sources: {
    readonly script: readonly string[];
    readonly connect: readonly string[];
    readonly img: readonly string[];
    readonly frame: readonly string[];
  };
};

export type HmrcRuns = { readonly vat: HmrcClient & VatPenaltiesClient; readonly sa: SelfAssessmentClient };

/** How the portal presents itself. */
export type Site = {
  readonly brand: string;
  /** The origin people reach the portal at, without a trailing slash. */
  readonly publicUrl: string;
  /** The origin of the app, {host} in the specification: the portal's own unless set. */
  readonly appHost: string;
  /** The live chat's loader and the analytics container, where they are set up. */
  readonly chat: PageScript | null;
  readonly analytics: PageScript | null;
  /** How people reach us. */
  readonly contact: ContactSettings;
  /** Our website and privacy policy where they are not the portal's own pages. */
  readonly website: WebsiteSettings;
  /** Where the doubles' index page is, while any provider is a double. */
  readonly sandboxUrl: string | null;
  /** NODE_ENV is not production: the pages are there that only who builds the portal needs. */
  readonly showsDevelopmentPages: boolean;
  /** HMRC's page where a trader sets the account for repayments. */
  readonly hmrcRepaymentAccountUrl: string;
  readonly vendorPublicIp: string | undefined;
  readonly version: string;
};
