/** Users with an account at the provider: seeded or created on its sign-in page. */
import { createHash, randomUUID } from 'node:crypto';
import type { IdentityRecords, Person } from './identity-records.ts';
import type { PersonSeed, ProviderProfile } from './provider-profile.ts';

/** Returns the user with the seed's subject or email address, creating the user if necessary. */
export function seedPerson(profile: ProviderProfile, records: IdentityRecords, seed: PersonSeed): Person {
  const existing = seed.subject === undefined ? findPerson(records, seed.email) : records.people.get(seed.subject);
  if (existing) return existing;
  const email = seed.email.trim();
  const candidate = profile.completePerson({ ...seed, email });
  // An email address can pass to another user, who gets a new subject.
  const isTaken = seed.subject === undefined && records.people.get(candidate.subject) !== undefined;
  const profileFields = isTaken ? profile.completePerson({ ...seed, email: `${email}#${randomUUID()}` }) : candidate;
  const person: Person = { ...profileFields, email, fullName: seed.fullName.trim(), emailVerified: seed.emailVerified ?? true };
  records.people.put(person.subject, person);
  return person;
}

/** Finds a user by email address (case-insensitive) or by subject. */
export function findPerson(records: IdentityRecords, emailOrSubject: string): Person | undefined {
  const candidate = emailOrSubject.trim().toLowerCase();
  return (
    records.people.list().find(({ document }) => document.email.toLowerCase() === candidate)?.document ?? records.people.get(emailOrSubject)
  );
}

/** Derives digits, a GUID or a hex string from a text. The result is deterministic, so that a seeded portal and a new simulator agree. */
export function deriveHex(provider: string, kind: string, text: string): string {
  return createHash('sha256').update(`${provider}\n${kind}\n${text.toLowerCase()}`).digest('hex');
}

export function deriveGuid(provider: string, kind: string, text: string): string {
  const hex = deriveHex(provider, kind, text);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

export function deriveDigits(provider: string, kind: string, text: string, digits: number): string {
  const number = BigInt(`0x${deriveHex(provider, kind, text).slice(0, 40)}`) % 10n ** BigInt(digits - 1);
  return `1${number.toString().padStart(digits - 1, '0')}`;
}

/** Splits a full name into first and last name as providers do. */
export function splitName(fullName: string): { givenName: string; familyName: string } {
  const [givenName = '', ...familyNames] = fullName.split(/\s+/);
  return { givenName, familyName: familyNames.join(' ') };
}
