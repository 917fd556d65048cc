import type { Article } from './article.ts';

export const SECURITY: Article = {
  key: 'security',
  title: 'Logging in and keeping your account safe',
  group: 'Your account',
  pages: ['login', 'loginV2', 'checkMail', 'useLink', 'secondFactor', 'resetPassword', 'newPassword', 'confirmEmailChange', 'profile'],
  words: 'password passkey authenticator two factor sessions link reset locked out code change email address google microsoft xero',
  write: ({ brand }) => [
    'You can log in with a password, an emailed link, a passkey, or an account with Google, Microsoft, Xero, Intuit or FreeAgent. An emailed link works once and expires after a short time. If it has expired, request a new one.',
    {
      list: [
        'Add a passkey or an authenticator app in your profile. Keep the recovery codes somewhere safe.',
        'You can change your email in your profile. We send a link to the old and new addresses, and the email changes once you’ve used both.',
        'Before you change how you log in, we may ask for your passkey, code or password again.',
        'Your profile lists every device that’s logged in. Log out any you don’t recognise.',
        'We email you when a new browser logs in or your sign-in methods change.',
        'After too many failed attempts, you’ll need to wait 15 minutes.',
        `${brand} never asks for your Government Gateway password, and never asks for a code by phone.`,
      ],
    },
    { link: { label: 'Forgotten your password? Set a new one', page: 'resetPassword' } },
  ],
};
