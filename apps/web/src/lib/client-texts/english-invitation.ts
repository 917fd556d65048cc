/** The English strings for the page that a client's invitation opens. */
import type { Catalogue } from './catalogue.ts';

export const ENGLISH_INVITATION = {
  'invitation.title': 'See your taxes online',
  'invitation.title_of': '{client}’s taxes, in one place',
  'invitation.text': '{person} of {practice} has invited you. You’ll see what {client} has to file and pay, by when, and how to pay it.',
  'invitation.for': 'The invitation is for:',
  'invitation.accept': 'Accept invitation',
  'invitation.asks': 'After that we ask for {list}.',
  'invitation.asks.phone': 'your phone number',
  'invitation.asks.consent': 'your consent to receiving documents electronically',
  'invitation.asks.letter': 'your signature on the letter of engagement with {practice}',
  'invitation.asks.authority': 'your HMRC authorisation for {taxes}',
  'invitation.expires': 'The link works until {at}.',
  'invitation.reminded': 'Until then, we’ll remind you up to three times.',
  'invitation.not_reminded': 'We won’t send any more reminders.',
  'invitation.stop': 'Don’t remind me',
  'invitation.none': 'Sign up as a client',
  'invitation.none.text':
    'Your accountant invites you by email, and the link in the email creates your account. If you haven’t been invited, ask your accountant.',
  'invitation.none.accepted': 'If you’ve already accepted an invitation, log in.',
  'invitation.log_in': 'Log in',
  'invitation.again': 'Try again',
  'invitation.over': 'This invitation no longer works',
  'invitation.over.text':
    'This link has expired, was replaced by a newer email, or has already been used. Open the latest email, log in, or ask your accountant for a new invitation.',
} as const satisfies Catalogue;
