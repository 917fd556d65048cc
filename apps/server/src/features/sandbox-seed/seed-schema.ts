import { clientFacts } from '@portal/contract/client-facts.ts';
import { OPERATOR_ROLES } from '@portal/domain/identity/operator-roles.ts';
import { ROLES } from '@portal/domain/identity/roles.ts';
import { TIER_MODES } from '@portal/domain/pricing/price-list.ts';
import { PROMOTION_KINDS } from '@portal/domain/pricing/promotion.ts';
import { z } from 'zod';

/** The sandbox's response at /control/seed. */
export const seedSchema = z.object({
  password: z.string(),
  companies: z.array(
    z.object({
      kind: z.enum(['trader', 'practice', 'client']),
      name: z.string(),
      company_number: z.string(),
      vrn: z.string().nullable(),
    }),
  ),
  people: z.array(
    z.object({
      email: z.email(),
      full_name: z.string(),
      operator: z.object({ roles: z.array(z.enum(OPERATOR_ROLES)), authenticator_secret: z.string() }).nullable(),
      membership: z.object({ company: z.string(), role: z.enum(ROLES), groups: z.array(z.string()) }).nullable(),
    }),
  ),
  trader: z.object({
    owner_email: z.email(),
    hmrc_user_id: z.string(),
    bank_account: z.object({ account_holder: z.string(), sort_code: z.string(), account_number: z.string() }),
    books_csv: z.string(),
  }),
  practice: z.object({
    admin_email: z.email(),
    company_number: z.string(),
    hmrc_user_id: z.string(),
    arn: z.string(),
    agent_code_ct: z.string(),
    agent_code_paye: z.string(),
    agent_code_sa: z.string(),
    client: z.object({
      person_email: z.email(),
      facts: clientFacts,
      statements: z.object({ paye: z.string(), ct: z.string() }),
    }),
  }),
  pricing: z.object({
    price_list: z.object({
      version: z.int(),
      mode: z.enum(TIER_MODES),
      effective_from: z.iso.date(),
      tiers: z.array(
        z.object({
          name: z.string(),
          from: z.int(),
          to: z.int().nullable(),
          base_pence: z.int(),
          unit_price_pence: z.int(),
          included: z.int(),
        }),
      ),
    }),
    promotion_codes: z.array(
      z.object({
        code: z.string(),
        kind: z.enum(PROMOTION_KINDS),
        value: z.int(),
        months: z.int().nullable(),
        tiers: z.array(z.string()),
        starts_on: z.iso.date(),
        ends_on: z.iso.date().nullable(),
        max_uses: z.int().nullable(),
      }),
    ),
  }),
});

export type Seed = z.infer<typeof seedSchema>;
