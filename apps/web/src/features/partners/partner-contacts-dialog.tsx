/** Lists, removes and adds a partner's contacts, who can see the progress of its referrals. */
import { operatorPartnersApi } from '@portal/contract/partners.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { apiRequest } from '../../lib/api.ts';
import { useContractForm } from '../../lib/contract-form.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { Button } from '../../ui/button.tsx';
import { InstantText } from '../../components/formats/date-text.tsx';
import { FormField } from '../../ui/form-field.tsx';
import { FormPanel } from '../../ui/form-panel.tsx';
import { HiddenText } from '../../ui/hidden-text.tsx';
import { Row, Stack } from '../../ui/layout.tsx';
import { ModalDialog } from '../../ui/modal-dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Text } from '../../ui/text.tsx';
import type { Partner } from './partner-output.ts';
import styles from './partner-contacts-dialog.module.css';

/** Open while `partner` is set. */
export function PartnerContactsDialog({ partner, onClose }: { partner: Partner | undefined; onClose: () => void }) {
  return (
    <ModalDialog open={partner !== undefined} heading={partner ? `Contacts at ${partner.logo_text}` : ''} onClose={onClose} small>
      {partner ? (
        <Stack gap={16}>
          <Text size="small" tone="quiet">
            Contacts can see which companies {partner.logo_text} has referred and the stage of each, but not the amounts. Direct their
            questions to {partner.referral_owner}.
          </Text>
          <Contacts partner={partner} />
          <AddContact key={partner.contacts.length} partner={partner} />
        </Stack>
      ) : null}
    </ModalDialog>
  );
}

function Contacts({ partner }: { partner: Partner }) {
  const queryClient = useQueryClient();
  const remove = useMutation({
    mutationFn: (userId: string) => apiRequest(operatorPartnersApi.removeContact, { partner: partner.name, user_id: userId }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: [operatorPartnersApi.list.path] }),
  });
  if (partner.contacts.length === 0) return <Text>No contacts at {partner.logo_text} yet.</Text>;
  return (
    <Stack gap={16}>
      <Stack as="ul" gap={0} aria-label={`Contacts at ${partner.logo_text}`}>
        {partner.contacts.map((contact) => (
          <Row as="li" key={contact.user_id} className={styles.contact}>
            <div className={styles.name}>
              <Text weight="medium">{contact.full_name}</Text>
              <Text size="small" tone="quiet">
                {contact.email}, since <InstantText at={contact.added_at} />
              </Text>
            </div>
            <Button variant="text" size="small" tone="error" disabled={remove.isPending} onClick={() => remove.mutate(contact.user_id)}>
              Remove<HiddenText> {contact.full_name}</HiddenText>
            </Button>
          </Row>
        ))}
      </Stack>
      {remove.error ? (
        <Notice tone="error" title="We couldn’t remove this contact" role="alert">
          {getErrorText(remove.error)}
        </Notice>
      ) : null}
    </Stack>
  );
}

function AddContact({ partner }: { partner: Partner }) {
  const queryClient = useQueryClient();
  const form = useContractForm<typeof operatorPartnersApi.addContact, { partner: string; email: string }>(operatorPartnersApi.addContact, {
    defaults: { partner: partner.name, email: '' },
    idPrefix: `contact-of-${partner.name}`,
    send: async (input) => {
      await apiRequest(operatorPartnersApi.addContact, input);
      await queryClient.invalidateQueries({ queryKey: [operatorPartnersApi.list.path] });
    },
  });
  return (
    <FormPanel form={form} submitLabel="Add contact" busyLabel="Adding…">
      <FormField form={form} name="email" label="The email address they log in with" type="email" autoComplete="off" />
    </FormPanel>
  );
}
