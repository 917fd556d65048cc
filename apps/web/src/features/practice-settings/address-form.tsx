/** The practice's postal address. */
import { practiceApi } from '@portal/contract/practice.ts';
import { parsePostcode } from '@portal/domain/client-imports/parse-import-row.ts';
import { apiRequest } from '../../lib/api.ts';
import { useContractForm } from '../../lib/contract-form.ts';
import type { PracticeProfile } from '../../lib/practice-profile.ts';
import { FormField } from '../../ui/form-field.tsx';
import { FormPanel } from '../../ui/form-panel.tsx';
import { useConfirmSaved } from './use-confirm-saved.ts';

type Values = { address_lines: string; address_postcode: string };

export function AddressForm({ profile }: { profile: PracticeProfile }) {
  const confirmSaved = useConfirmSaved();
  const form = useContractForm<typeof practiceApi.saveAccountantProfile, Values>(practiceApi.saveAccountantProfile, {
    defaults: { address_lines: profile.address?.lines.join(', ') ?? '', address_postcode: profile.address?.postcode ?? '' },
    fixed: { company_id: profile.company_id },
    checks: { address_postcode: (text) => (text.trim() === '' ? { ok: true as const, value: text } : parsePostcode(text)) },
    send: async ({ address_lines: lines = '', address_postcode: postcode = '', ...input }) => {
      // Lines are separated by commas in the form and by line breaks in the API.
      const addressLines = lines.split(',').join('\n');
      await apiRequest(practiceApi.saveAccountantProfile, { ...input, address_lines: addressLines, address_postcode: postcode });
      await confirmSaved('Address saved');
    },
  });
  return (
    <FormPanel form={form} submitLabel="Save" busyLabel="Saving…">
      <FormField
        form={form}
        name="address_lines"
        label="Building, street and town"
        hint="Separated by commas, for example 4 Mill Lane, Leeds"
        optional
        autoComplete="street-address"
      />
      <FormField form={form} name="address_postcode" label="Postcode" optional autoComplete="postal-code" widthInCharacters={12} />
    </FormPanel>
  );
}
