/** The home pages of users who don't own a trader's company, shown instead of a trader's steps. */
import { PAGES } from '@portal/contract/pages.ts';
import { useSession } from './session.tsx';
import type { Session } from './session-state.ts';

export type OtherHome = {
  readonly meaning: string;
  readonly action: string;
  readonly to: string;
};

const HOME_BY_USER_TYPE: Readonly<Record<'practice' | 'operator' | 'client', OtherHome>> = {
  practice: {
    meaning: 'Your practice’s dashboard shows what’s due for your clients and what you need to do.',
    action: 'Open your practice’s dashboard',
    to: PAGES.home.path,
  },
  operator: {
    meaning: 'The queues show refunds, payouts and identity checks that need a decision.',
    action: 'Open the queues',
    to: PAGES.adminQueues.path,
  },
  client: {
    meaning: 'Your accounting practice prepares and files your returns for you. Anything it needs from you is on your home page.',
    action: 'Go to your home page',
    to: PAGES.home.path,
  },
};

/** A partner's contact without a company, who has the type "new" because they may add one. */
const PARTNER_HOME: OtherHome = {
  meaning: 'The referrals show which companies your link brought and how far each has come.',
  action: 'See your referrals',
  to: PAGES.partnerReferrals.path,
};

/** Returns undefined for traders and other new users, and while the session is unknown. */
export function findOtherHome(session: Session): OtherHome | undefined {
  if (session.status !== 'signed_in') return undefined;
  const { type, home_path: homePath } = session.person;
  if (type === 'new' && homePath === PAGES.partnerReferrals.path) return PARTNER_HOME;
  return type === 'practice' || type === 'operator' || type === 'client' ? HOME_BY_USER_TYPE[type] : undefined;
}

export const useOtherHome = (): OtherHome | undefined => findOtherHome(useSession().session);
