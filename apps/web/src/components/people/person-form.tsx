import { onboardingApi } from '@portal/contract/onboarding.ts';
import type { ReactNode } from 'react';
import { apiRequest } from '../../lib/api.ts';
import { useContractForm } from '../../lib/contract-form.ts';
import { FormField } from '../../ui/form-field.tsx';
import { FormPanel } from '../../ui/form-panel.tsx';

type PersonFormProps = {
  person: { readonly full_name: string; readonly phone: string | null };
  /** Whether it can be sent without a change. */
  startsChanged?: boolean;
  submitLabel: string;
  otherActions?: ReactNode;
  onSaved: () => Promise<void>;
};

/** The user's own name and phone number. */
export function PersonForm({ person, startsChanged = false, submitLabel, otherActions, onSaved }: PersonFormProps) {
  const form = useContractForm<typeof onboardingApi.saveAbout, { full_name: string; phone: string }>(onboardingApi.saveAbout, {
    defaults: { full_name: person.full_name, phone: person.phone ?? '' },
    startsChanged,
    draft: { name: 'about', fields: ['full_name', 'phone'] },
    send: async (input) => {
      await apiRequest(onboardingApi.saveAbout, input);
      await onSaved();
    },
  });
  return (
    <FormPanel form={form} submitLabel={submitLabel} busyLabel="Saving…" otherActions={otherActions}>
      <FormField form={form} name="full_name" label="Full name" autoComplete="name" />
      <FormField
        form={form}
        name="phone"
        label="Phone number"
        optional
        type="tel"
        inputMode="tel"
        autoComplete="tel"
        widthInCharacters={20}
      />
    </FormPanel>
  );
}
