/** Records whether the client is in a VAT group, and which client represents it. */
import type { VatGroupRole } from '@portal/domain/clients/vat-group.ts';
import { vatGroupsApi } from '@portal/contract/vat-groups.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ClientField, type ChosenClient } from '../../components/practice/client-field.tsx';
import { apiRequest } from '../../lib/api.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { Button } from '../../ui/button.tsx';
import { Radio } from '../../ui/choice.tsx';
import { FieldFrame, getDescribedBy } from '../../ui/form-field.tsx';
import { TextInput } from '../../ui/input.tsx';
import { ModalDialog } from '../../ui/modal-dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { SubmitButton } from '../../ui/submit-button.tsx';
import { useToast } from '../../ui/toast.tsx';
import { toClientInput, type ClientIds, type ClientProfile } from './client-page.ts';
import styles from './vat-group-dialog.module.css';

const ROLES: readonly { role: VatGroupRole | 'none'; label: string; hint: string }[] = [
  { role: 'none', label: 'Not in a VAT group, or not known', hint: 'The client has its own VAT number, or none.' },
  { role: 'representative', label: 'Representative member', hint: 'It has the group’s VAT number, files its returns and pays its VAT.' },
  {
    role: 'member',
    label: 'Another member',
    hint: 'It has no VAT number, returns or payments of its own. We stop showing VAT here, and show it again if you change this.',
  },
];

const NUMBER_HINT = 'Leave it empty if you don’t know it.';

export function VatGroupDialog({ ids, client, onClose }: { ids: ClientIds; client: ClientProfile; onClose: () => void }) {
  const { vat_group: group } = client;
  const [role, setRole] = useState<VatGroupRole | 'none'>(group?.role ?? 'none');
  const knownRepresentative = group?.representative ?? null;
  const [representative, setRepresentative] = useState<ChosenClient | null>(
    knownRepresentative && { id: knownRepresentative.client_id, name: knownRepresentative.name },
  );
  const knownVrn = group?.role === 'member' && knownRepresentative === null ? (group.vrn ?? '') : '';
  const [groupVrn, setGroupVrn] = useState(knownVrn);
  const isUnchanged =
    role === (group?.role ?? 'none') &&
    (role !== 'member' || (representative?.id === knownRepresentative?.client_id && groupVrn.trim() === knownVrn));
  const queryClient = useQueryClient();
  const toast = useToast();
  const save = useMutation({
    mutationFn: () => {
      const input = { ...toClientInput(ids), role };
      if (role !== 'member') return apiRequest(vatGroupsApi.set, input);
      return apiRequest(
        vatGroupsApi.set,
        representative === null ? { ...input, group_vrn: groupVrn } : { ...input, representative_id: representative.id },
      );
    },
    onSuccess: async () => {
      // The group changes two clients’ figures, authorisations and names everywhere.
      await queryClient.invalidateQueries();
      // A member’s section is one short card, which would be above the part of the page that is in view.
      document.documentElement.scrollTop = 0;
      toast('success', 'VAT group saved');
      onClose();
    },
  });
  return (
    <ModalDialog
      open
      small
      heading="VAT group"
      onClose={onClose}
      loading={save.isPending}
      actions={
        <>
          <Button variant="outlined" onClick={onClose} disabled={save.isPending}>
            Cancel
          </Button>
          <SubmitButton
            missing={isUnchanged ? 'Change the role or the group.' : undefined}
            isBusy={save.isPending}
            onClick={() => save.mutate()}
          >
            Save VAT group
          </SubmitButton>
        </>
      }
    >
      {save.error !== null && (
        <Notice tone="error" title="We couldn’t save this VAT group" role="alert">
          {getErrorText(save.error)}
        </Notice>
      )}
      <fieldset className={styles.options}>
        <legend>What is {client.full_name}’s role in a VAT group?</legend>
        {ROLES.map(({ role: value, label, hint }) => (
          <Radio key={value} name="role" value={value} label={label} hint={hint} checked={role === value} onChange={() => setRole(value)} />
        ))}
      </fieldset>
      {role === 'member' && (
        <ClientField
          companyId={ids.companyId}
          client={representative}
          onChange={setRepresentative}
          id="vat-group-representative"
          noun="Representative member"
          label="Representative member, if it’s a client"
          hint="Type a name or VAT number."
          exceptId={ids.clientId}
        />
      )}
      {role === 'member' && representative === null && (
        <FieldFrame id="vat-group-number" label="The group’s VAT number, if it isn’t" hint={NUMBER_HINT}>
          <TextInput
            id="vat-group-number"
            value={groupVrn}
            onChange={({ target }) => setGroupVrn(target.value)}
            maxLength={40}
            autoComplete="off"
            aria-describedby={getDescribedBy('vat-group-number', NUMBER_HINT, undefined)}
          />
        </FieldFrame>
      )}
    </ModalDialog>
  );
}
