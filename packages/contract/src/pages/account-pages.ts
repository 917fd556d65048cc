/** The login pages, and the pages for the user's own account. */
import { INSTANT_VAT_TITLE, type Page } from './page.ts';

const LOGIN_PAGE = { access: 'public', title: 'Login' } as const;
const SIGNED_IN_PAGE = { access: 'signed_in', title: INSTANT_VAT_TITLE } as const;

export const ACCOUNT_PAGES = {
  login: { ...LOGIN_PAGE, path: '/login', kind: 'login' },
  loginV2: { ...LOGIN_PAGE, path: '/v2/auth/login', kind: 'login' },
  checkMail: { ...LOGIN_PAGE, path: '/v2/auth/check-mail', section: 'Check your email' },
  useLink: { ...LOGIN_PAGE, path: '/v2/auth/link', section: 'Confirm' },
  secondFactor: { ...LOGIN_PAGE, path: '/v2/auth/second-factor', section: 'Security code' },
  resetPassword: { ...LOGIN_PAGE, path: '/v2/auth/reset-password', section: 'Reset password', screen: 'ResetScreen' },
  /** Opened by a password reset link: `?token=`. */
  newPassword: { ...LOGIN_PAGE, path: '/v2/auth/new-password', section: 'New password' },
  /** Opened by the two links that confirm a new email address: `?token=`. */
  confirmEmailChange: { ...LOGIN_PAGE, path: '/v2/auth/confirm-email', section: 'Confirm your email' },
  /** Opened by an invitation to a practice's team: `?token=`. */
  joinTeam: { ...LOGIN_PAGE, path: '/v2/auth/join', section: 'Join a team' },
  profile: { ...SIGNED_IN_PAGE, path: '/v2/instant-vat/profile', section: 'Profile' },
  /** Verification of the email address and mobile number. */
  verification: { ...SIGNED_IN_PAGE, path: '/verification', section: 'Verification' },
  verifyIdentity: { ...SIGNED_IN_PAGE, path: '/verify-identity', section: 'Identity check' },
  verifyIdentityNextSteps: {
    ...SIGNED_IN_PAGE,
    path: '/verify-identity/next-steps',
    section: 'Identity check result',
    screen: 'IdentityNextStepsScreen',
  },
  getStarted: { ...SIGNED_IN_PAGE, path: '/get-started/welcome', section: 'Get started', screen: 'WelcomeScreen' },
  /** Closes the user's account or, with `?of=company|practice&company_id=`, a company or practice. */
  closeAccount: { ...SIGNED_IN_PAGE, path: '/close-account', section: 'Close account' },
  accountClosed: { access: 'public', title: INSTANT_VAT_TITLE, path: '/account-closed', section: 'Account closed' },
  company: { ...SIGNED_IN_PAGE, path: '/company', section: 'Companies', screen: 'CompaniesScreen' },
  logout: { ...LOGIN_PAGE, path: '/logout', section: 'Logged out' },
  home: { ...SIGNED_IN_PAGE, path: '/home', section: 'Home' },
} as const satisfies Record<string, Page>;
