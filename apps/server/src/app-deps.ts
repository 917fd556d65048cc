/** The server's dependencies. `main.ts` creates the real ones and tests create their own. All other code receives them as an argument. */
import type { Database } from '@portal/db/database.ts';
import type { Clock } from '@portal/domain/clock.ts';
import type { MailboxProvider } from '@portal/domain/messages/sending-limits.ts';
import type { VirusScanner } from '@portal/providers/clamd/clamd-client.ts';
import type { CompanyRegister } from '@portal/providers/companies-house/companies-house-port.ts';
import type { DirectDebitProvider } from '@portal/providers/gocardless/gocardless-port.ts';
import type { HmrcClient } from '@portal/providers/hmrc/hmrc-client.ts';
import type { AgentAuthorisationClient } from '@portal/providers/hmrc-agent/agent-authorisation-port.ts';
import type { SelfAssessmentClient } from '@portal/providers/hmrc-agent/self-assessment-port.ts';
import type { VatPenaltiesClient } from '@portal/providers/hmrc-agent/vat-penalties-client.ts';
import type { BooksProviderName } from '@portal/domain/connected-books/books-providers.ts';
import type { BooksProvider } from '@portal/providers/connected-books/books-provider.ts';
import type { LanguageModel } from '@portal/providers/language-model/language-model-port.ts';
import type { MailSender } from '@portal/providers/mailbox/mail-sender.ts';
import type { ChatIdentification } from '@portal/providers/hubspot/hubspot-port.ts';
import type { IdentityCheck } from '@portal/providers/identity-check/identity-check-port.ts';
import type { SignInProvider, SignInProviderName } from '@portal/providers/oidc/sign-in-port.ts';
import type { PaymentsProvider } from '@portal/providers/truelayer/truelayer-port.ts';
import type { AccountNameCheck } from '@portal/providers/modulr/account-name-check-port.ts';
import type { LeakedPasswords } from '@portal/providers/pwned-passwords/pwned-passwords-client.ts';
import type { Screening } from '@portal/providers/screening/screening-port.ts';
import type { AppDocuments } from '@portal/providers/app-documents/app-documents.ts';
import type { WebhookSender } from '@portal/providers/webhooks/webhook-sender.ts';
import type { BillingProvider } from '@portal/providers/stripe/stripe-port.ts';
import type { PhoneVerification } from '@portal/providers/twilio/twilio-port.ts';
import type { Logger } from 'pino';
import type { Enqueue } from './jobs/job-kinds.ts';
import type { FailedJob } from './jobs/job-table.ts';
import type { Mailer } from './mail/mailer.ts';
import type { Metrics } from './observability/metrics.ts';
import type { RecordSecurityEvent } from './observability/security-log.ts';
import type { Pause } from './pause.ts';
import type { PausedWork } from './paused-work.ts';
import type { TokenCipher } from './secrets/token-cipher.ts';
import type { ContactSettings, WebsiteSettings } from './visitor-settings.ts';

export type AppDeps = {
  readonly database: Database;
  /** Business time. The sandbox can move it. */
  readonly clock: Clock;
  /** The system clock, for sessions, links and limits. Moving the sandbox clock doesn't affect them. */
  readonly wallClock: Clock;
  /** Waits for a slot or for other work. Tests record the waits and continue immediately. */
  readonly pause: Pause;
  readonly hmrc: HmrcClient;
  /**
   * HMRC client for background runs over many clients. Interactive requests take priority, and the run itself retries throttled requests.
   */
  readonly hmrcRuns: HmrcBatchClients;
  /** Requests and checks the practice's authorisation for its clients at HMRC. */
  readonly hmrcAgent: AgentAuthorisationClient;
  /** A client for the same HMRC app, with the redirect URI for sign-in. */
  readonly hmrcSignIn: HmrcClient;
  /** The providers that users may sign in with. Unconfigured providers are absent. */
  readonly signIn: Readonly<Partial<Record<SignInProviderName, SignInProvider>>>;
  /** The providers of practices' mailboxes. Unconfigured providers are absent. */
  readonly mailboxes: Readonly<Partial<Record<MailboxProvider, MailboxClient>>>;
  /** Bookkeeping software that we can read books from. Unconfigured products are absent. */
  readonly books: Readonly<Partial<Record<BooksProviderName, BooksProvider>>>;
  /** Bookkeeping software that a practice connects once for all of its clients. Unconfigured products are absent. */
  readonly practiceBooks: Readonly<Partial<Record<BooksProviderName, BooksProvider>>>;
  /** Undefined if no provider is configured; screens then say that it is unavailable. */
  readonly phones: PhoneVerification | undefined;
  readonly companyRegister: CompanyRegister | undefined;
  readonly identityCheck: IdentityCheck | undefined;
  /** Confirmation of Payee. Without it, an operator reviews every account. */
  readonly accountNameCheck: AccountNameCheck | undefined;
  /** Screening against sanctions and PEP lists. Without it, nothing is paid. */
  readonly screening: Screening | undefined;
  /** Checks for leaked passwords. Without it, only the bundled list of common passwords is used. */
  readonly leakedPasswords: LeakedPasswords | undefined;
  /** Rewords drafts. Without it, users edit drafts themselves. */
  readonly languageModel: ConfiguredLanguageModel | undefined;
  /** Scans uploaded files. Without it, uploads are rejected. */
  readonly virusScanner: VirusScanner | undefined;
  /** Identifies a visitor to the live chat. */
  readonly chat: ChatIdentification | undefined;
  readonly payments: PaymentsProvider;
  /** Undefined if no provider is configured. Differences can then only be paid by bank transfer. */
  readonly directDebits: DirectDebitProvider | undefined;
  /** Undefined if practices aren't charged. */
  readonly billing: Billing | undefined;
  readonly mailer: Mailer;
  /** Sends webhooks to URLs that customers entered. */
  readonly webhooks: WebhookSender;
  /** Reads the metadata documents in which OAuth clients describe themselves. */
  readonly appDocuments: AppDocuments;
  readonly enqueue: Enqueue;
  readonly tokenCipher: TokenCipher;
  readonly logger: Logger;
  /** The file outside the database that the latest hash of every audit chain is written to. */
  readonly auditHeadsFile: string;
  readonly metrics: Metrics;
  readonly recordSecurityEvent: RecordSecurityEvent;
  /** Identifies this run of the process, so that the work of an earlier, crashed process can be recognised. */
  readonly instanceId: string;
  /** Work that was stopped on purpose. */
  readonly paused: PausedWork;
  readonly site: Site;
};

/** `host` receives the text, and is the host that practices agree to. `model` is the configured model name. */
export type ConfiguredLanguageModel = LanguageModel & { readonly host: string; readonly model: string };

/** How practices are charged. `seller` contains our details on invoices. */
export type Billing = {
  readonly provider: BillingProvider;
  readonly seller: { readonly name: string; readonly address: string; readonly vatNumber: string };
};

/** Connects a user's mailbox and sends through it. `scope` is the permission to send. */
export type MailboxClient = { readonly signIn: SignInProvider; readonly scope: string; readonly sender: MailSender };

/** Manages the process's jobs. Available only once it runs jobs, after the dependencies are created. */
export type JobOverview = {
  readonly listFailedJobs: () => Promise<FailedJob[]>;
  /** Runs a failed job again with all its retries. Returns false if it no longer exists. */
  readonly retryFailedJob: (id: string) => Promise<boolean>;
  /** Discards a failed job. Returns false if it no longer exists. */
  readonly discardFailedJob: (id: string) => Promise<boolean>;
};

/** A third-party script in our pages, and the sources that the content security policy allows it. */
export type PageScript = {
  readonly scriptUrl: string;
  readonly sources: {
    readonly script: readonly string[];
    readonly connect: readonly string[];
    readonly img: readonly string[];
    readonly frame: readonly string[];
    readonly style: readonly string[];
  };
};

export type HmrcBatchClients = { readonly vat: HmrcClient & VatPenaltiesClient; readonly sa: SelfAssessmentClient };

/** Site-wide settings: brand, URLs, contact details and third-party scripts. */
export type Site = {
  readonly brand: string;
  /** The portal's public origin, without a trailing slash. */
  readonly publicUrl: string;
  /** The app's origin, called {host} in docs/product/specification.md. Defaults to the portal's origin. */
  readonly appHost: string;
  /** The live chat's loader and the analytics container, if configured. */
  readonly chat: PageScript | null;
  readonly analytics: PageScript | null;
  /** How users contact us. */
  readonly contact: ContactSettings;
  /** Our website and privacy policy, if they aren't the portal's own pages. */
  readonly website: WebsiteSettings;
  /** The simulators' index page, if any provider is simulated. */
  readonly sandboxUrl: string | null;
  /** Whether the figures are fictional because HMRC is simulated. */
  readonly isHmrcSimulated: boolean;
  /** A sentence for every page that says what is simulated; empty if nothing is. */
  readonly sandboxText: string;
  /** Whether to show pages for developers: true unless NODE_ENV is production. */
  readonly showsDevelopmentPages: boolean;
  /** HMRC's page where a trader sets the bank account for repayments. */
  readonly hmrcRepaymentAccountUrl: string;
  readonly vendorPublicIp: string | undefined;
  readonly version: string;
};
