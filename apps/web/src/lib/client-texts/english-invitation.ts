/** The English strings for the page that a client's invitation opens, and for joining, which invited colleagues see as well. */
import type { Catalogue } from './catalogue.ts';

export const ENGLISH_INVITATION = {
  'invitation.title': 'See your taxes online',
  'invitation.title_of': '{client}’s taxes, in one place',
  'invitation.text': '{person} of {practice} has invited you. You’ll see what {client} has to file and pay, by when, and how to pay it.',
  'invitation.for': 'The invitation is for:',
  'invitation.accept': 'Accept invitation',
  'invitation.asks': 'Once you’ve joined, we’ll ask for {list}.',
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
  'join.failed': 'You haven’t joined',
  'join.other': 'You’re logged in as {own}',
  'join.other.text':
    'Log out, then log in with {email} or create an account with that email address. Or ask for an invitation to be sent to {own}.',
  'join.log_out': 'Log out',
  'join.has_account': 'You already have an account. Log in as usual, and you’ll come back here.',
  'join.log_in': 'Log in to continue',
  'join.create': 'Create account and join',
  'join.creating': 'Creating your account…',
  'join.name': 'Full name',
  'join.name.missing': 'Enter your full name',
  'join.password': 'Password',
  'join.password.hint': 'At least 10 characters. Or leave it blank, and we’ll email you a link each time you log in.',
  'join.other_account': 'Use Google or another account instead',
} as const satisfies Catalogue;
