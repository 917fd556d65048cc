/** The client's contacts, and the practice's own tags for it. */
import { MAX_TAG_LENGTH, MAX_TAGS } from '@portal/domain/clients/tags.ts';
import { z } from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { companyInput, createNameScalar, doneOutput, idScalar } from './scalars.ts';

const clientInput = z.extend(companyInput, { client_id: idScalar });

const createSingleLineSchema = (name: string) =>
  z._default(
    z
      .string()
      .check(z.trim(), z.maxLength(160, `Enter ${name} of at most 160 characters`), z.regex(/^\P{Cc}*$/u, `Enter ${name} on one line`)),
    '',
  );

const EMAIL_HINT = 'Enter an email address, for example jo@example.com';

/** A contact's details. Empty text means unknown. */
const contactFields = {
  name: createNameScalar('the contact’s name'),
  role: createSingleLineSchema('the role'),
  email: z._default(
    z.string().check(z.trim(), z.maxLength(254, EMAIL_HINT), z.regex(/^$|^[^\s@,;]+@[^\s@,;]+\.[^\s@,;]+$/, EMAIL_HINT)),
    '',
  ),
  phone: createSingleLineSchema('the phone number'),
};

const contact = z.object({ contact_id: idScalar, name: z.string(), role: z.string(), email: z.string(), phone: z.string() });
export type ClientContact = z.output<typeof contact>;

/** Maximum number of contacts per client. */
export const MAX_CONTACTS = 20;

export const clientContactEndpoints = {
  contacts: endpoint({
    method: 'GET',
    path: '/client/contacts',
    access: 'client.read',
    summary: 'List a client’s contacts by name',
    input: clientInput,
    output: z.object({ contacts: z.array(contact) }),
  }),
  addContact: endpoint({
    method: 'POST',
    path: '/client/contacts',
    access: 'client.work',
    summary: `Add a contact to a client. A client can have at most ${MAX_CONTACTS}.`,
    input: z.extend(clientInput, contactFields),
    output: contact,
  }),
  editContact: endpoint({
    method: 'POST',
    path: '/client/contacts/edit',
    access: 'client.work',
    summary: 'Change a contact’s name, role, email or phone',
    input: z.extend(clientInput, { contact_id: idScalar, ...contactFields }),
    output: contact,
  }),
  removeContact: endpoint({
    method: 'POST',
    path: '/client/contacts/remove',
    access: 'client.work',
    summary: 'Remove a contact',
    input: z.extend(clientInput, { contact_id: idScalar }),
    output: doneOutput,
  }),
  practiceTags: endpoint({
    method: 'GET',
    path: '/client/tags',
    access: 'practice.read',
    summary: 'List the practice’s tags by name. A team member sees only the tags of assigned clients.',
    input: companyInput,
    output: z.object({ tags: z.array(z.string()) }),
  }),
  setTags: endpoint({
    method: 'POST',
    path: '/client/tags',
    access: 'client.work',
    summary: 'Replace a client’s tags',
    input: z.extend(clientInput, { tags: z.array(z.string().check(z.maxLength(MAX_TAG_LENGTH * 4))).check(z.maxLength(MAX_TAGS * 4)) }),
    output: z.object({ tags: z.array(z.string()) }),
  }),
};
