/** Pages that don't belong to a single product: help, contact, privacy, and pages for any signed-in user. */
import { INSTANT_VAT_TITLE, OPEN_TAX_TITLE, type Page } from './page.ts';

const PUBLIC = { access: 'public', title: INSTANT_VAT_TITLE } as const;
const SIGNED_IN = { access: 'signed_in', title: INSTANT_VAT_TITLE } as const;

export const GENERAL_PAGES = {
  /** The help page also covers every other path that ends in /help (docs/product/specification.md section 2.4): see findPage. */
  help: { ...PUBLIC, path: '/help', section: 'Help' },
  developers: { ...PUBLIC, path: '/developers', section: 'Developers' },
  /** Explains how to connect an AI assistant. */
  assistants: { ...PUBLIC, title: OPEN_TAX_TITLE, path: '/developers/assistants', section: 'Connect your assistant' },
  /** An app redirects the user's browser here to ask for consent (contract/connected-apps.ts). */
  authoriseApp: { ...SIGNED_IN, title: OPEN_TAX_TITLE, path: '/oauth/authorize', section: 'Connect an app' },
  contact: { ...PUBLIC, path: '/contact', section: 'Contact us' },
  privacy: { ...PUBLIC, path: '/privacy', section: 'Privacy' },
  cookieChoices: { ...PUBLIC, path: '/privacy/cookies', section: 'Cookies' },
  /** A partner's referrals by stage, for its contacts. */
  partnerReferrals: { ...SIGNED_IN, path: '/partner', section: 'Referrals', screen: 'ReferralsScreen' },
  pendingTasks: { ...SIGNED_IN, path: '/pending-tasks', section: 'Pending tasks' },
  connections: { ...SIGNED_IN, path: '/connections', section: 'Connections' },
  /** Shows every UI component in each of its states. */
  devComponents: { ...PUBLIC, path: '/dev/components', section: 'Components', screen: 'ComponentsScreen', onlyInDevelopment: true },
} as const satisfies Record<string, Page>;
