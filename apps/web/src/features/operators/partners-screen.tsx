/** Partners for operators: their terms, their referrals in numbers, and the people who see the stages. */
import { operatorPartnersApi } from '@portal/contract/partners.ts';
import type { OutputOf } from '@portal/contract/endpoint.ts';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { ask, call } from '../../lib/api.ts';
import { useContractForm } from '../../lib/contract-form.ts';
import { errorText } from '../../lib/error-text.ts';
import { InstantText } from '../../ui/date-text.tsx';
import { FactList } from '../../ui/fact-list.tsx';
import { FormField } from '../../ui/form-field.tsx';
import { FormPanel } from '../../ui/form-panel.tsx';
import { HiddenText } from '../../ui/hidden-text.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { Page } from '../../ui/page.tsx';
import { SectionCard } from '../../ui/section-card.tsx';

type Partner = OutputOf<typeof operatorPartnersApi.list>['partners'][number];

const KINDS: Readonly<Record<string, string>> = {
  bookkeeping: 'Bookkeeping software',
  bridging: 'Bridging software: the return is filed there',
  broker: 'Broker',
  accountancy: 'Accountant: set as the trader’s agent',
};

export function PartnersScreen() {
  const query = useQuery(ask(operatorPartnersApi.list, {}));
  return (
    <Page title="Partners" maxWidth="wide">
      <LoadState query={query}>
        {({ partners }) => (
          <Box
            sx={{ display: 'grid', gap: { xs: 2, md: 3 }, gridTemplateColumns: { xs: 'minmax(0, 1fr)', md: 'repeat(2, minmax(0, 1fr))' } }}
          >
            {partners.map((partner) => (
              <PartnerCard key={partner.name} partner={partner} />
            ))}
          </Box>
        )}
      </LoadState>
    </Page>
  );
}

function PartnerCard({ partner }: { partner: Partner }) {
  return (
    <SectionCard title={partner.logo_text}>
      <FactList
        facts={[
          { label: 'What it is', value: KINDS[partner.kind] ?? partner.kind },
          { label: 'Our fee', value: `${partner.fee_rate_bps / 100}% of the refund` },
          { label: 'Companies on its terms', value: partner.companies },
          { label: 'First came by its link', value: partner.first_touch },
          { label: 'Last came by its link', value: partner.last_touch },
          { label: 'Answered by', value: partner.referral_owner },
        ]}
      />
      <Typography component="h3" variant="h3" sx={{ mt: 3, mb: 1 }}>
        Contacts
      </Typography>
      <Contacts partner={partner} />
      <AddContact key={partner.contacts.length} partner={partner} />
    </SectionCard>
  );
}

function Contacts({ partner }: { partner: Partner }) {
  const queries = useQueryClient();
  const remove = useMutation({
    mutationFn: (userId: string) => call(operatorPartnersApi.removeContact, { partner: partner.name, user_id: userId }),
    onSettled: () => queries.invalidateQueries({ queryKey: [operatorPartnersApi.list.path] }),
  });
  if (partner.contacts.length === 0) return <Typography sx={{ mb: 2 }}>Nobody at {partner.logo_text} sees the stages yet.</Typography>;
  return (
    <>
      <Box component="ul" aria-label={`Contacts of ${partner.logo_text}`} sx={{ listStyle: 'none', m: 0, mb: 2, p: 0 }}>
        {partner.contacts.map((contact) => (
          <Box
            component="li"
            key={contact.user_id}
            sx={{ py: 1, borderTop: 1, borderColor: 'divider', display: 'flex', flexWrap: 'wrap', columnGap: 2, alignItems: 'center' }}
          >
            <Box sx={{ flex: '1 1 200px', minWidth: 0, overflowWrap: 'anywhere' }}>
              <Typography sx={{ fontWeight: 500 }}>{contact.full_name}</Typography>
              <Typography variant="body2" sx={{ color: 'text.secondary' }}>
                {contact.email}, since <InstantText at={contact.added_at} />
              </Typography>
            </Box>
            <Button variant="text" size="small" color="error" disabled={remove.isPending} onClick={() => remove.mutate(contact.user_id)}>
              Remove<HiddenText> {contact.full_name}</HiddenText>
            </Button>
          </Box>
        ))}
      </Box>
      <Typography role="alert" sx={{ color: 'error.tone' }}>
        {remove.error ? errorText(remove.error) : null}
      </Typography>
    </>
  );
}

function AddContact({ partner }: { partner: Partner }) {
  const queries = useQueryClient();
  const form = useContractForm<typeof operatorPartnersApi.addContact, { partner: string; email: string }>(operatorPartnersApi.addContact, {
    defaults: { partner: partner.name, email: '' },
    idPrefix: `contact-of-${partner.name}`,
    send: async (input) => {
      await call(operatorPartnersApi.addContact, input);
      await queries.invalidateQueries({ queryKey: [operatorPartnersApi.list.path] });
    },
  });
  return (
    <FormPanel form={form} submitLabel="Add the contact" busyLabel="Adding ...">
      <FormField form={form} name="email" label="Email address of their account" type="email" autoComplete="off" />
    </FormPanel>
  );
}
