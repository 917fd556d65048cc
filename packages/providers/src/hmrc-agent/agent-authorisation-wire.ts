/** Agent Authorisation 2.0 responses as the server sends them; unknown members are ignored. */
import { z } from 'zod';

/** The server sends `service` as a list of one, although HMRC's examples show plain text. Times come with and without a time zone. */
export const toInvitationWire = z.object({
  _links: z.object({ self: z.object({ href: z.string().min(1) }) }),
  created: z.string().min(1),
  updated: z.string().optional(),
  expiresOn: z.string().optional(),
  clientActionUrl: z.string().optional(),
  arn: z.string(),
  service: z.union([z.array(z.string()).min(1), z.string()]),
  status: z.enum(['Pending', 'Accepted', 'Rejected', 'Expired', 'Cancelled', 'Deauthorised', 'Partialauth']),
  agentType: z.enum(['main', 'supporting']).nullish(),
});
export const invitationsWire = z.array(toInvitationWire);

export type InvitationWire = z.infer<typeof toInvitationWire>;
