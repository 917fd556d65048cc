// Written by scripts/write-registries.ts, which every npm command runs. Do not edit.
import type { ComponentType } from 'react';

/** The screen of each of these pages, loaded when it is opened. */
export const GENERAL_SCREENS = {
  help: () => import('../../features/help/help-screen.tsx').then((module) => module.HelpScreen),
  developers: () => import('../../features/developers/developers-screen.tsx').then((module) => module.DevelopersScreen),
  assistants: () => import('../../features/developers/assistants-screen.tsx').then((module) => module.AssistantsScreen),
  authoriseApp: () => import('../../features/authorise-app/authorise-app-screen.tsx').then((module) => module.AuthoriseAppScreen),
  contact: () => import('../../features/contact/contact-screen.tsx').then((module) => module.ContactScreen),
  privacy: () => import('../../features/privacy/privacy-screen.tsx').then((module) => module.PrivacyScreen),
  cookieChoices: () => import('../../features/privacy/cookie-choices-screen.tsx').then((module) => module.CookieChoicesScreen),
  partnerReferrals: () => import('../../features/partners/referrals-screen.tsx').then((module) => module.ReferralsScreen),
  pendingTasks: () => import('../../features/tasks/pending-tasks-screen.tsx').then((module) => module.PendingTasksScreen),
  connections: () => import('../../features/connections/connections-screen.tsx').then((module) => module.ConnectionsScreen),
  devComponents: () => import('../dev/components-screen.tsx').then((module) => module.ComponentsScreen),
} as const satisfies Readonly<Record<string, () => Promise<ComponentType>>>;
