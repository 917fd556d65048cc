import type { Article } from './article.ts';

export const SECURITY: Article = {
  key: 'security',
  title: 'Signing in, and keeping your account safe',
  group: 'Your account',
  pages: ['login', 'loginV2', 'checkMail', 'useLink', 'secondFactor', 'resetPassword', 'newPassword', 'profile'],
  words: 'password passkey authenticator two factor sessions link reset locked out code google microsoft xero',
  write: ({ brand }) => [
    'You can sign in with a password, a link that we email, a passkey, or an account at Google, Microsoft, Xero, Intuit or FreeAgent. An emailed link works once and only for a short time; ask for a new one if it has ended.',
    {
      list: [
        'Add a passkey or an authenticator app in your profile. Keep the recovery codes somewhere safe.',
        'Your profile lists every browser that is signed in. End those you do not know.',
        'We email you when a new browser signs in or a way in changes.',
        'After too many wrong tries we wait 15 minutes.',
        `${brand} never asks for your Government Gateway password, and never for a code by phone.`,
      ],
    },
    { link: { label: 'Forgotten your password? Set a new one', page: 'resetPassword' } },
  ],
};
