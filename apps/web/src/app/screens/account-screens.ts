// Written by scripts/write-registries.ts, which every npm command runs. Do not edit.
import type { ComponentType } from 'react';

/** The screen of each of these pages, loaded when it is opened. */
export const ACCOUNT_SCREENS = {
  checkMail: () => import('../../features/identity/check-mail-screen.tsx').then((module) => module.CheckMailScreen),
  useLink: () => import('../../features/identity/use-link-screen.tsx').then((module) => module.UseLinkScreen),
  secondFactor: () => import('../../features/identity/second-factor-screen.tsx').then((module) => module.SecondFactorScreen),
  resetPassword: () => import('../../features/identity/reset-screen.tsx').then((module) => module.ResetScreen),
  newPassword: () => import('../../features/identity/new-password-screen.tsx').then((module) => module.NewPasswordScreen),
  confirmEmailChange: () =>
    import('../../features/identity/confirm-email-change-screen.tsx').then((module) => module.ConfirmEmailChangeScreen),
  joinTeam: () => import('../../features/identity/join-team-screen.tsx').then((module) => module.JoinTeamScreen),
  profile: () => import('../../features/security/profile-screen.tsx').then((module) => module.ProfileScreen),
  verification: () => import('../../features/security/verification-screen.tsx').then((module) => module.VerificationScreen),
  verifyIdentity: () => import('../../features/identity-check/verify-identity-screen.tsx').then((module) => module.VerifyIdentityScreen),
  verifyIdentityNextSteps: () =>
    import('../../features/identity-check/next-steps-screen.tsx').then((module) => module.IdentityNextStepsScreen),
  getStarted: () => import('../../features/onboarding/welcome-screen.tsx').then((module) => module.WelcomeScreen),
  closeAccount: () => import('../../features/data-protection/close-account-screen.tsx').then((module) => module.CloseAccountScreen),
  accountClosed: () => import('../../features/data-protection/account-closed-screen.tsx').then((module) => module.AccountClosedScreen),
  company: () => import('../../features/companies/companies-screen.tsx').then((module) => module.CompaniesScreen),
  logout: () => import('../../features/identity/logout-screen.tsx').then((module) => module.LogoutScreen),
  home: () => import('../../features/identity/home-screen.tsx').then((module) => module.HomeScreen),
} as const satisfies Readonly<Record<string, () => Promise<ComponentType>>>;
