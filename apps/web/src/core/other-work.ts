/** The home pages of users who don't own a trader's company, shown instead of a trader's steps. */
import { PAGES } from '@portal/contract/pages.ts';
import { useSession } from './session.tsx';
import type { Session } from './session-state.ts';

export type OtherWork = {
  readonly meaning: string;
  readonly action: string;
  readonly to: string;
};

const WORK_BY_USER_TYPE: Readonly<Record<'practice' | 'operator' | 'client', OtherWork>> = {
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

/** Returns undefined for traders and new users, and while the session is unknown. */
export function getOtherWork(session: Session): OtherWork | undefined {
  const type = session.status === 'signed_in' ? session.person.type : undefined;
  return type === 'practice' || type === 'operator' || type === 'client' ? WORK_BY_USER_TYPE[type] : undefined;
}

export const useOtherWork = (): OtherWork | undefined => getOtherWork(useSession().session);
