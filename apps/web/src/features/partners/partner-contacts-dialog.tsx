/** The contacts at one partner who see the progress of its referrals: list, remove, add. */
import { operatorPartnersApi } from '@portal/contract/partners.ts';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { apiRequest } from '../../lib/api.ts';
import { useContractForm } from '../../lib/contract-form.ts';
import { errorText } from '../../lib/error-text.ts';
import { InstantText } from '../../ui/date-text.tsx';
import { FormField } from '../../ui/form-field.tsx';
import { FormPanel } from '../../ui/form-panel.tsx';
import { HiddenText } from '../../ui/hidden-text.tsx';
import { ModalDialog } from '../../ui/modal-dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import type { Partner } from './partner-output.ts';

/** Open while a partner is given. */
export function PartnerContactsDialog({ partner, onClose }: { partner: Partner | undefined; onClose: () => void }) {
  return (
    <ModalDialog open={partner !== undefined} heading={partner ? `Contacts of ${partner.logo_text}` : ''} onClose={onClose} small>
      {partner ? (
        <>
          <Typography variant="body2" sx={{ mb: 2, color: 'text.secondary' }}>
            They see which companies {partner.logo_text} has sent and how far each has come, never an amount. Their questions go to:{' '}
            {partner.referral_owner}.
          </Typography>
          <Contacts partner={partner} />
          <AddContact key={partner.contacts.length} partner={partner} />
        </>
      ) : null}
    </ModalDialog>
  );
}

function Contacts({ partner }: { partner: Partner }) {
  const queries = useQueryClient();
  const remove = useMutation({
    mutationFn: (userId: string) => apiRequest(operatorPartnersApi.removeContact, { partner: partner.name, user_id: userId }),
    onSettled: () => queries.invalidateQueries({ queryKey: [operatorPartnersApi.list.path] }),
  });
  if (partner.contacts.length === 0) return <Typography sx={{ mb: 3 }}>Nobody at {partner.logo_text} sees the stages yet.</Typography>;
  return (
    <Box sx={{ mb: 3 }}>
      <Box component="ul" aria-label={`People at ${partner.logo_text}`} sx={{ listStyle: 'none', m: 0, p: 0 }}>
        {partner.contacts.map((contact) => (
          <Box
            component="li"
            key={contact.user_id}
            sx={{ py: 1, borderBottom: 1, borderColor: 'divider', display: 'flex', flexWrap: 'wrap', columnGap: 2, alignItems: 'center' }}
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
      {remove.error ? (
        <Box sx={{ mt: 2 }}>
          <Notice tone="error" title="Not removed" role="alert">
            {errorText(remove.error)}
          </Notice>
        </Box>
      ) : null}
    </Box>
  );
}

function AddContact({ partner }: { partner: Partner }) {
  const queries = useQueryClient();
  const form = useContractForm<typeof operatorPartnersApi.addContact, { partner: string; email: string }>(operatorPartnersApi.addContact, {
    defaults: { partner: partner.name, email: '' },
    idPrefix: `contact-of-${partner.name}`,
    send: async (input) => {
      await apiRequest(operatorPartnersApi.addContact, input);
      await queries.invalidateQueries({ queryKey: [operatorPartnersApi.list.path] });
    },
  });
  return (
    <FormPanel form={form} submitLabel="Add the contact" busyLabel="Adding ...">
      <FormField form={form} name="email" label="Email address of their account" type="email" autoComplete="off" />
    </FormPanel>
  );
}
