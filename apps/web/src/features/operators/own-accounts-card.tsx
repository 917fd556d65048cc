/** The signed-in operator's own bank accounts. Operators can't access companies whose payouts go to one of their own accounts. */
import { operatorPeopleApi } from '@portal/contract/operator-people.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { InstantText } from '../../components/formats/date-text.tsx';
import { apiQuery, apiRequest } from '../../lib/api.ts';
import { useContractForm } from '../../lib/contract-form.ts';
import { FormField } from '../../ui/form-field.tsx';
import { FormPanel } from '../../ui/form-panel.tsx';
import { Stack } from '../../ui/layout.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { RecordTable } from '../../ui/record-table.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { Text } from '../../ui/text.tsx';
import { useToast } from '../../ui/toast.tsx';

type Values = { sort_code: string; account_number: string };

export function OwnAccountsCard() {
  const query = useQuery(apiQuery(operatorPeopleApi.listOwnAccounts, {}));
  return (
    <SectionCard title="Your personal bank accounts" source="Encrypted. Only you can see them here, and they can’t be removed.">
      <Stack>
        <Text>Declare every account you have access to. You can’t make decisions about a company that is paid into one of them.</Text>
        <LoadState query={query}>
          {({ accounts }) =>
            accounts.length > 0 && (
              <RecordTable
                label="Your personal bank accounts"
                rows={accounts}
                getKey={({ account_id }) => account_id}
                columns={[
                  { title: 'Account', cell: ({ account_end }) => `Ending in ${account_end}` },
                  { title: 'Recorded', cell: ({ recorded_at }) => <InstantText at={recorded_at} /> },
                ]}
              />
            )
          }
        </LoadState>
        <RecordAccountForm />
      </Stack>
    </SectionCard>
  );
}

function RecordAccountForm() {
  const queryClient = useQueryClient();
  const toast = useToast();
  const form = useContractForm<typeof operatorPeopleApi.recordOwnAccount, Values>(operatorPeopleApi.recordOwnAccount, {
    idPrefix: 'own-account',
    defaults: { sort_code: '', account_number: '' },
    send: async (input) => {
      await apiRequest(operatorPeopleApi.recordOwnAccount, input);
      await queryClient.invalidateQueries({ queryKey: [operatorPeopleApi.listOwnAccounts.path] });
      form.form.reset();
      toast('success', 'Account declared');
    },
  });
  return (
    <FormPanel form={form} submitLabel="Declare account" busyLabel="Saving…" submitVariant="outlined">
      <FormField form={form} name="sort_code" label="Sort code" widthInCharacters={10} inputMode="numeric" autoComplete="off" />
      <FormField form={form} name="account_number" label="Account number" widthInCharacters={12} inputMode="numeric" autoComplete="off" />
    </FormPanel>
  );
}
